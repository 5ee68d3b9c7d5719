// Ends this process when npm has started it (npx, npm run) and npm has ended. A stop signal from a supervisor reaches npm
// alone, which ends at once: without this, a service would go on without a parent and take jobs beside its successor.
// Plain JavaScript of the oldest Node that can install the project; loaded before anything else.
import { readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** How often it is looked whether npm is still there, in milliseconds. */
const LOOK_MS = 500;

/** Names of shells, which npm may have put between itself and this process. */
const SHELL = /^(?:ba|da|z|k)?sh$/;

const isOfNpm = process.env.npm_execpath !== undefined || process.env.npm_command !== undefined;
if (isOfNpm && isMainThread) {
  const parent = process.ppid;
  const grandparent = SHELL.test(nameOf(parent)) ? parentOf(parent) : null;
  const look = setInterval(() => {
    if (isThere(parent) && process.ppid === parent && (grandparent === null || isThere(grandparent))) return;
    clearInterval(look);
    // As if the signal had come here: a Windows process that sends itself one ends hard.
    if (!process.emit("SIGTERM", "SIGTERM")) process.exit(143);
  }, LOOK_MS);
  look.unref();
}

function isThere(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // One of another user is there all the same.
    return error.code === "EPERM";
  }
}

/** Empty where the system does not tell. */
function nameOf(pid) {
  return read(`/proc/${pid}/comm`).trim();
}

/** `null` where the system does not tell. */
function parentOf(pid) {
  // The name before it, in brackets, may hold anything.
  const [, parent] = /^.*\) \S+ (\d+) /s.exec(read(`/proc/${pid}/stat`)) ?? [];
  return parent === undefined ? null : Number(parent);
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
