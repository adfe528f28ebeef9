# bpconvert in a container: docker build -t bpconvert . && docker run --rm -v "$PWD:/work" bpconvert check app.yaml
# Results belong to who runs it with --user "$(id -u):$(id -g)".
FROM python:3.13-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY docs/bpconvert.1 docs/
COPY bpconvert bpconvert
COPY models models
COPY translators translators
COPY templates templates
RUN python -m venv /opt/bpconvert && /opt/bpconvert/bin/pip install --no-cache-dir '.[yaql]'

FROM python:3.13-slim
COPY --from=build /opt/bpconvert /opt/bpconvert
ENV PATH=/opt/bpconvert/bin:$PATH
RUN useradd --uid 10001 --no-create-home bpconvert
USER 10001
WORKDIR /work
ENTRYPOINT ["bpconvert"]
CMD ["--help"]
