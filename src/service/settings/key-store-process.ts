// One request to the system's key store, in a process of its own (`system-key-store.ts`). The library is loaded here alone.
import type { KeyStoreFault } from "./key-store.ts";

/** What is asked; it comes over the channel to the parent, because arguments can be read by others. */
export type KeyStoreRequest =
  | { readonly action: "read" | "remove"; readonly name: string }
  | { readonly action: "write"; readonly name: string; readonly secret: string };

/** What came of it. */
export type KeyStoreReply = { readonly secret: string | null } | { readonly fault: KeyStoreFault };

/** Under which name the system lists our keys. */
const SERVICE = "Aside";

process.once("message", (request: KeyStoreRequest) => {
  void carryOut(request)
    .catch((error: unknown): KeyStoreReply => ({ fault: faultOf(error) }))
    .then((reply) => process.send?.(reply, () => process.exit(0)));
});
process.on("disconnect", () => process.exit(1));

async function carryOut(request: KeyStoreRequest): Promise<KeyStoreReply> {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  // The kernel's keyring, which it would take on Linux otherwise, is empty after a restart.
  const entry = new AsyncEntry(SERVICE, request.name, { linux: { store: "secret-service" } });
  switch (request.action) {
    case "read":
      return { secret: (await entry.getPassword()) ?? null };
    case "write":
      await entry.setPassword(request.secret);
      return { secret: null };
    case "remove":
      await entry.deletePassword();
      return { secret: null };
  }
}

/** The library tells its faults apart by their words alone. */
function faultOf(error: unknown): KeyStoreFault {
  const words = error instanceof Error ? error.message : "";
  if (/DBus error|Cannot find (?:native binding|module)/i.test(words)) return "absent";
  if (/access platform storage/i.test(words)) return "locked";
  if (/longer than/i.test(words)) return "too_long";
  return "refused";
}
