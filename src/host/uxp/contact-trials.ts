import type { ContactAnswer, ContactTrial } from "../contact.ts";
import type { PresetSource } from "../preset-files.ts";
import { everyName, keepName } from "./loopback.ts";
import type { UxpRequestConstructor } from "./runtime.ts";
import { sendRequest } from "./send-request.ts";

/** What a first contact asks UXP with. */
export interface UxpContact {
  readonly Requests: UxpRequestConstructor;
  /** Address of the service on this computer. */
  readonly address: () => Promise<string>;
  readonly presets: PresetSource;
}

/** What is asked of UXP in a new Premiere: by which names it reaches this computer, and where presets lie. */
export function uxpContact({ Requests, address, presets }: UxpContact): ContactTrial[] {
  return [
    { name: "loopback", run: async () => reachedNames(Requests, await address()) },
    { name: "presets", run: () => foundPresets(presets) },
  ];
}

async function reachedNames(Requests: UxpRequestConstructor, address: string): Promise<ContactAnswer> {
  const { signal } = new AbortController();
  const urls = everyName(`${address}/`);
  let isKept = false;
  const answers = await Promise.all(
    urls.map(async (url) => {
      try {
        await sendRequest(Requests, { method: "GET", url, isAsGiven: true, headers: {}, signal, replyAs: "text" });
        // At once: the other name may never answer.
        if (!isKept) keepName(Requests, url);
        isKept = true;
        return true;
      } catch {
        return false;
      }
    }),
  );
  const reached = urls.filter((_, index) => answers[index]);
  const [first] = reached;
  if (first === undefined) return { outcome: "open", seen: "nothing answers on this computer" };
  keepName(Requests, first);
  const names = reached.map((url) => url.replace(/^https?:\/\/|[:/].*$/g, ""));
  const isUsual = reached.length === urls.length;
  return { outcome: isUsual ? "usual" : "differs", seen: `by ${names.join(" and ")}${isUsual ? "" : " alone"}` };
}

async function foundPresets(presets: PresetSource): Promise<ContactAnswer> {
  const own = (await presets.list()).filter(({ origin }) => origin === "system").length;
  return own > 0
    ? { outcome: "usual", seen: `${own} of Premiere's own` }
    : { outcome: "differs", seen: "none of Premiere's own" };
}
