import * as z from "zod/mini";
import type { ServerReply } from "./exchange.ts";

/** What a server says about an error. */
export interface ServerFault {
  /** Its own words; empty where there are none. */
  readonly message: string;
  /** Its codes for it in one text, such as `insufficient_quota`. */
  readonly codes: string;
  /** The parameter it names, where it names one. */
  readonly parameter: string;
}

const Said = z.object({
  message: z.optional(z.unknown()),
  code: z.optional(z.unknown()),
  type: z.optional(z.unknown()),
  param: z.optional(z.unknown()),
  detail: z.optional(z.unknown()),
});
const Wrapped = z.object({ error: z.unknown() });

/** Reads an error in the forms that servers have for it: an object or a text, below `error` or not, alone or in a list. */
export function faultOf({ body }: Pick<ServerReply, "body">): ServerFault {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  const wrapped = Wrapped.safeParse(first);
  const inner = wrapped.success && wrapped.data.error !== undefined ? wrapped.data.error : first;
  if (typeof inner === "string") return { message: /^\s*</.test(inner) ? "" : inner, codes: "", parameter: "" };
  const said = Said.safeParse(inner);
  if (!said.success) return { message: "", codes: "", parameter: "" };
  const { message, detail, code, type, param } = said.data;
  return {
    message: wordsOf(message) || wordsOf(detail),
    codes: [code, type].map(wordsOf).join(" ").trim(),
    parameter: wordsOf(param),
  };
}

/** Whether a provider's filter, not its server, refused: for what is shown or said. */
export function isContentRefusal(reply: Pick<ServerReply, "body">): boolean {
  return /content_(?:filter|policy)|safety|moderation/i.test(faultOf(reply).codes);
}

/** Characters kept of what a server says. */
const KEPT_CHARACTERS = 200;

/** A server's words on one line, short, without the key. */
export function spokenReason(message: string, apiKey: string): string {
  return (apiKey === "" ? message : message.replaceAll(apiKey, "…"))
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, KEPT_CHARACTERS);
}

function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
