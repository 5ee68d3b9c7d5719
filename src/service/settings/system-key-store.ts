import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { EVERYBODY, PROGRAMS, passedOn } from "../../engine/isolate/cage.ts";
import type { Environment } from "../../engine/outgoing/local-only.ts";
import { KeyStoreError, type KeyStoreFault, type UserKeyStore } from "./key-store.ts";
import type { KeyStoreReply, KeyStoreRequest } from "./key-store-process.ts";

const PROCESS = fileURLToPath(new URL("./key-store-process.ts", import.meta.url));

/** How long the store may take, in milliseconds: it may ask its user to be unlocked. */
const ANSWER_MS = 10_000;

/** What reaches the store on Linux: the session's bus. */
const SESSION = ["DBUS_SESSION_BUS_ADDRESS"];

/** How the system's key store is reached; replaced in tests. */
interface Reach {
  readonly environment: Environment;
  /** Module that is run in place of our own. */
  readonly module?: string;
  readonly answerMs?: number;
}

/**
 * The key store of this computer's user: macOS' keychain, Windows' Credential Manager, the Secret Service of a Linux desktop.
 * Each request has a process of its own, which is ended when its time is up: a native call that hangs would keep this one
 * from ending.
 */
export function systemKeyStore({ environment, module = PROCESS, answerMs = ANSWER_MS }: Reach): UserKeyStore {
  const ask = async (request: KeyStoreRequest): Promise<string | null> => {
    const child = fork(module, [], {
      env: passedOn(environment, [...EVERYBODY, ...PROGRAMS, ...SESSION]),
      execArgv: [],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      timeout: answerMs,
      killSignal: "SIGKILL",
    });
    let reply: KeyStoreReply | null = null;
    child.on("message", (message: KeyStoreReply) => {
      reply = message;
    });
    try {
      // The process may be gone before it was told anything: its end says so.
      child.send(request, () => undefined);
      await once(child, "close");
    } catch (cause) {
      throw new KeyStoreError("refused", { cause });
    }
    return secretOf(reply, child.killed ? "slow" : "refused");
  };
  return {
    read: (name) => ask({ action: "read", name }),
    async write(name, secret) {
      await ask({ action: "write", name, secret });
    },
    async remove(name) {
      await ask({ action: "remove", name });
    },
  };
}

/** @param fault What no reply means. @throws KeyStoreError. */
function secretOf(reply: KeyStoreReply | null, fault: KeyStoreFault): string | null {
  if (reply === null) throw new KeyStoreError(fault);
  if ("fault" in reply) throw new KeyStoreError(reply.fault);
  return reply.secret;
}
