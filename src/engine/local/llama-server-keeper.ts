import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { dirname } from "node:path";
import { wholePath } from "../isolate/programs.ts";
import type { KeeperNews } from "./llama-server-faults.ts";
import type { KeeperOrders } from "./llama-server-process.ts";

// Entry of the process between the service and `llama-server`, a program that knows no parent: it ends together with whoever
// started it, however that ended, because the channel between them breaks.

// The service alone writes these (`llama-server-process.ts`).
const { program, args }: KeeperOrders = JSON.parse(process.argv[2] ?? "null");
const tellAndEnd = (news: KeeperNews) => process.send?.(news, () => process.exit());

try {
  // Before the program is there: its threads take the priority of the one that starts them.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // Not allowed here: the work is the same at any priority.
}
const child = spawn(wholePath(program), args, {
  // Both of its outputs are one log.
  stdio: ["ignore", process.stderr.fd, process.stderr.fd],
  cwd: dirname(program),
  windowsHide: true,
});
process.once("disconnect", () => {
  child.kill("SIGKILL");
  // It is over once that is gone, with all of its memory.
  child.once("exit", () => process.exit());
});
child.once("error", (error) => tellAndEnd({ type: "not-started", why: error.message }));
child.once("exit", (code, signal) => tellAndEnd({ type: "ended", code, signal }));
