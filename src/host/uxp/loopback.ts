import { Learnt } from "../learnt.ts";
import type { UxpRequestConstructor } from "./runtime.ts";

/** Names by which a computer reaches itself: one system was seen to refuse the one, another the other. */
const NAMES = ["127.0.0.1", "localhost"] as const;

/** An address of this computer under one of its names, and what follows. */
const LOCAL = /^(?<scheme>https?:\/\/)(?:127\.0\.0\.1|localhost)(?<rest>[:/?#].*|)$/i;

/** What was learnt by requests of a kind. */
const LEARNT = new WeakMap<UxpRequestConstructor, Learnt>();

/** Has requests of a kind take the name of this computer that worked last, and keeps which one does. */
export function learnLoopback(Requests: UxpRequestConstructor, learnt: Learnt): void {
  LEARNT.set(Requests, learnt);
}

/** What is known of the name by which requests of a kind reach this computer. */
function learntBy(Requests: UxpRequestConstructor): Learnt {
  const learnt = LEARNT.get(Requests) ?? new Learnt();
  LEARNT.set(Requests, learnt);
  return learnt;
}

/** The address as it is asked: one of this computer by the name that is known to work. */
export function routed(Requests: UxpRequestConstructor, url: string): string {
  const name = learntBy(Requests).recall("loopback");
  return NAMES.some((one) => one === name) ? withName(url, name ?? "") : url;
}

/** An address by every name of this computer, as it is given first; one elsewhere has no other name. */
export function everyName(url: string): readonly string[] {
  return LOCAL.test(url) ? [...new Set([url, ...NAMES.map((name) => withName(url, name))])] : [url];
}

/** Keeps the name in an address that has answered. */
export function keepName(Requests: UxpRequestConstructor, url: string): void {
  const name = NAMES.find((one) => withName(url, one) === url);
  if (name !== undefined && LOCAL.test(url)) learntBy(Requests).keep("loopback", name);
}

function withName(url: string, name: string): string {
  return url.replace(LOCAL, `$<scheme>${name}$<rest>`);
}
