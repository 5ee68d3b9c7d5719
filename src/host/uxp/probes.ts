import type { Probe, TrialProbe } from "../host-error.ts";
import { tellsListeners } from "./abort.ts";
import type { KeyStore } from "./key-store.ts";
import type { UxpRequestConstructor } from "./runtime.ts";
import { spellingsOfBytes } from "./send-request.ts";
import { pathIn, type UxpFiles } from "./work-folder.ts";

/** Globals whose presence no documentation settles (`premiere-uxp.md` 4.1). */
const GLOBALS = (
  "TextEncoder TextDecoder URL URLSearchParams structuredClone queueMicrotask WebAssembly matchMedia performance " +
  "requestAnimationFrame MutationObserver ResizeObserver IntersectionObserver btoa localStorage ReadableStream"
).split(" ");

/** What the probes of UXP use. */
export interface UxpProbing {
  readonly files: UxpFiles;
  readonly secrets: KeyStore;
  /** A folder that may be written to. */
  readonly folder: () => Promise<string>;
  /** Where globals are looked for. */
  readonly globals: object;
}

/** What the running UXP answers to the open questions about it. Files and secrets that it makes are removed again. */
export function uxpProbes({ files, secrets, folder, globals }: UxpProbing): Probe[] {
  const withFile = async (work: (path: string) => Promise<string>) => {
    const path = pathIn(await folder(), "probe.txt");
    try {
      await files.writeText(path, "0123456789");
      return await work(path);
    } finally {
      await files.remove(path);
    }
  };
  return [
    {
      name: "Globals",
      code: "src/core/bytes.ts src/formats/decode-text.ts",
      run: async () =>
        GLOBALS.map((name) => `${name} ${Reflect.get(globals, name) !== undefined ? "there" : "missing"}`).join(", "),
    },
    {
      name: "Abort tells its listeners",
      code: "src/host/uxp/abort.ts",
      run: async () => String(tellsListeners("AbortController" in globals ? globals.AbortController : undefined)),
    },
    {
      name: "Secure storage",
      code: "src/host/uxp/key-store.ts",
      run: async () => {
        await secrets.save("probe", "ä");
        const kept = await secrets.load("probe");
        await secrets.forget("probe");
        return kept === "ä" ? "keeps" : "loses";
      },
    },
    {
      name: "Reading at a position",
      code: "src/host/uxp/work-folder.ts",
      run: () => withFile(async (path) => `${(await files.readBytes(path, 4, 3)).join(" ")} (wanted 52 53 54)`),
    },
    {
      name: "Reading past 4 GB",
      code: "src/host/uxp/uxp-transfer.ts",
      run: () => withFile(async (path) => `${(await files.readBytes(path, 5 * 2 ** 30, 1)).length} bytes (wanted 0)`),
    },
    {
      name: "Renaming over a file",
      code: "src/host/uxp/work-folder.ts",
      run: () =>
        withFile(async (path) => {
          await files.writeText(path, "new");
          return (await files.readText(path)) === "new" ? "works" : "fails";
        }),
    },
  ];
}

/** What UXP's network answers, asked at the service. */
export function networkTrial(Requests: UxpRequestConstructor): TrialProbe {
  return {
    name: "Replies in bytes",
    code: "src/host/uxp/send-request.ts src/host/uxp/uxp-transfer.ts",
    run: ({ address, signal }) =>
      spellingsOfBytes(Requests, { method: "GET", url: `${address}/`, headers: {}, signal, replyAs: "bytes" }),
  };
}
