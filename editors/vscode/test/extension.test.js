// The extension with stand-ins for the editor and its client library: it starts what the setting names.
"use strict";

const assert = require("node:assert");
const Module = require("node:module");
const test = require("node:test");

const started = [];
const shown = [];
let command = ["bpconvert", "lsp"];
let fails = false;

class LanguageClient {
  constructor(id, name, options, client) {
    Object.assign(this, { id, options, client });
  }
  async start() {
    if (fails) throw new Error("spawn ENOENT");
    started.push(this);
  }
  async stop() {
    started.splice(started.indexOf(this), 1);
  }
}

const commands = {};
const editor = {
  workspace: {
    getConfiguration: () => ({ get: () => command }),
    onDidChangeConfiguration: () => ({ dispose() {} }),
  },
  window: { showErrorMessage: (text) => shown.push(text) },
  commands: { registerCommand: (name, run) => ((commands[name] = run), { dispose() {} }) },
};
const load = Module._load;
Module._load = (name, ...rest) =>
  ({ vscode: editor, "vscode-languageclient/node": { LanguageClient } })[name] ?? load(name, ...rest);
const extension = require("../extension.js");
const manifest = require("../package.json");

test("it starts the server that the setting names, for YAML files", async () => {
  await extension.activate({ subscriptions: [] });
  assert.deepStrictEqual(started[0].options, { command: "bpconvert", args: ["lsp"] });
  assert.deepStrictEqual(started[0].client.documentSelector, [{ scheme: "file", language: "yaml" }]);
});

test("it restarts with another command", async () => {
  command = ["/venv/bin/bpconvert", "lsp"];
  await commands["bpconvert.restart"]();
  assert.strictEqual(started.length, 1);
  assert.strictEqual(started[0].options.command, "/venv/bin/bpconvert");
  await extension.deactivate();
  assert.strictEqual(started.length, 0);
});

test("it reports a setting that is wrong, and a server that does not start", async () => {
  command = "bpconvert lsp";
  await extension.activate({ subscriptions: [] });
  command = ["bpconvert", "lsp"];
  fails = true;
  await extension.activate({ subscriptions: [] });
  assert.match(shown[0], /bpconvert\.command/);
  assert.match(shown[1], /ENOENT.*pip install/);
});

test("the manifest's default is the command, and its commands are registered", () => {
  assert.deepStrictEqual(manifest.contributes.configuration.properties["bpconvert.command"].default, ["bpconvert", "lsp"]);
  assert.deepStrictEqual(manifest.contributes.commands.map((one) => one.command), Object.keys(commands));
});
