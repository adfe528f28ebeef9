// Starts `bpconvert lsp` for YAML documents. All else is what the server answers.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** The server's options, from the setting `bpconvert.command`: a program and its arguments. */
function server(command) {
  const [program, ...args] = command;
  return { command: program, args };
}

async function start() {
  const command = vscode.workspace.getConfiguration("bpconvert").get("command");
  if (!Array.isArray(command) || command.length === 0) {
    vscode.window.showErrorMessage("bpconvert.command is not a list of a program and its arguments");
    return;
  }
  client = new LanguageClient("bpconvert", "bpconvert", server(command), {
    documentSelector: [{ scheme: "file", language: "yaml" }],
  });
  try {
    await client.start();
  } catch (error) {
    vscode.window.showErrorMessage(`bpconvert: ${error.message} (pip install 'bpconvert[lsp]', or set bpconvert.command)`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running !== undefined) await running.stop();
}

async function activate(context) {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(vscode.commands.registerCommand("bpconvert.restart", restart));
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("bpconvert") && restart()),
  );
  await start();
}

module.exports = { activate, deactivate: stop, server };
