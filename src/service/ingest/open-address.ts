import { lookup as resolveName } from "node:dns";
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { RequestError } from "../request-error.ts";

/** Rules for fetching from addresses that clients name. */
export interface FetchRules {
  /** Networks beside the public internet that may be reached. */
  readonly allowedNetworks: AllowedNetworks;
  /** Ports that may be reached; `null`: any. */
  readonly ports: readonly number[] | null;
  readonly maximumRedirects: number;
  /** How long connecting, and how long any silence, may last. */
  readonly idleSeconds: number;
}

/** Resolves a name; Node's own resolver outside tests. */
export type Resolve = typeof resolveName;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** No connection is kept: each is checked anew. No proxy of the environment is used: it would reach what may not be. */
const AGENTS = { http: new HttpAgent({ keepAlive: false }), https: new HttpsAgent({ keepAlive: false }) };

/**
 * Opens an address that a client named, following redirects, and resolves with the reply once it is a 200.
 *
 * Where the connection really goes is checked, not what the address looks like: names are resolved once, and the
 * connection is made to an address that was found public then, at every hop.
 *
 * @param parameter the request's parameter that holds the address, for messages.
 * @throws RequestError `invalid_input` with what is wrong with the address or its answer.
 */
export async function openAddress(
  address: string,
  parameter: string,
  rules: FetchRules,
  signal: AbortSignal,
  resolve: Resolve = resolveName,
): Promise<IncomingMessage> {
  let url = checkUrl(address, parameter, rules);
  for (let hop = 0; hop <= rules.maximumRedirects; hop++) {
    const reply = await get(url, parameter, rules, signal, resolve);
    const status = reply.statusCode ?? 0;
    if (status === 200) return reply;
    reply.destroy();
    const { location } = reply.headers;
    if (!REDIRECTS.has(status) || location === undefined) {
      throw refusal(parameter, `was answered with status ${status} instead of a video`);
    }
    if (!URL.canParse(location, url)) throw refusal(parameter, "redirects to something that is no address");
    url = checkUrl(new URL(location, url).href, parameter, rules);
  }
  throw refusal(parameter, `redirects more than ${rules.maximumRedirects} times`);
}

function checkUrl(address: string, parameter: string, rules: FetchRules): URL {
  if (!URL.canParse(address)) throw refusal(parameter, "is no full address");
  const url = new URL(address);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw refusal(parameter, "must begin with http:// or https://");
  if (url.username !== "" || url.password !== "") throw refusal(parameter, "must not hold a user name or password");
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  if (rules.ports !== null && !rules.ports.includes(port))
    throw refusal(parameter, `uses port ${port}, which is not allowed`);
  // An address written as a number is never looked up, so it is checked here. The URL parser has already turned every
  // spelling of one (octal, hexadecimal, a single number, full-width digits) into the usual one.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host, rules.allowedNetworks)) throw notPublic(parameter);
  return url;
}

function get(
  url: URL,
  parameter: string,
  rules: FetchRules,
  signal: AbortSignal,
  resolve: Resolve,
): Promise<IncomingMessage> {
  return new Promise((resolved, rejected) => {
    const isSecure = url.protocol === "https:";
    const options = {
      agent: isSecure ? AGENTS.https : AGENTS.http,
      lookup: publicLookup(rules, resolve),
      // As sent, the bytes are the file's; and some hosts refuse a client without a name.
      headers: { accept: "video/*, */*;q=0.5", "accept-encoding": "identity", "user-agent": "aside" },
      signal,
    };
    const sending: ClientRequest = isSecure ? httpsRequest(url, options) : httpRequest(url, options);
    sending.setTimeout(rules.idleSeconds * 1000, () => sending.destroy(new Error("silence")));
    sending.once("response", resolved);
    sending.once("error", (error: NodeJS.ErrnoException) => {
      if (signal.aborted) rejected(signal.reason);
      else if (error instanceof NotPublicError) rejected(notPublic(parameter));
      else rejected(refusal(parameter, failureWords(error)));
    });
    sending.end();
  });
}

class NotPublicError extends Error {}

/** Resolves names to public addresses only; a name without any is refused. */
function publicLookup(rules: FetchRules, resolve: Resolve): LookupFunction {
  return (name, options, answer) => {
    resolve(name, { ...options, all: true }, (error, found) => {
      if (error !== null) return answer(error, []);
      const open = found.filter(({ address }) => isPublicAddress(address, rules.allowedNetworks));
      const [first] = open;
      if (first === undefined) return answer(new NotPublicError(), []);
      if (options.all === true) return answer(null, open);
      return answer(null, first.address, first.family);
    });
  };
}

function failureWords(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOTFOUND" || error.code === "EAI_AGAIN") return "names a host that does not exist";
  if (error.code === "ECONNREFUSED") return "names a host that refuses the connection";
  if (error.message === "silence") return "names a host that does not answer";
  if (error.code?.startsWith("CERT_") === true || error.code?.includes("SELF_SIGNED") === true) {
    return "names a host whose certificate is not valid";
  }
  return "could not be fetched";
}

function notPublic(parameter: string): RequestError {
  return refusal(parameter, "does not lead to a public address");
}

function refusal(parameter: string, what: string): RequestError {
  return new RequestError(
    "invalid_input",
    `"${parameter}" ${what}. Give the address of a video that anyone can fetch.`,
  );
}

/** Networks that count as public though they are not, in CIDR form; for services that fetch from their own network. */
export type AllowedNetworks = readonly string[];

/**
 * Addresses in public ranges that lead into the cloud host a service runs on: Azure's wire server, which hands out
 * credentials. Those of other clouds lie in ranges that are refused anyway.
 */
const HOST_SERVICES = new Set(["168.63.129.16"]);

/** An IPv4 address in an old form of IPv6 (`::127.0.0.1`, RFC 4291 section 2.5.5.1): nothing public is there. */
const OLD_FORMS = ["::/96"];

/**
 * Whether an IP address is one of the public internet: not this machine, not a private, link-local, shared, reserved,
 * multicast or documentation range, and no IPv4 address of such a range in the clothes of IPv6.
 */
export function isPublicAddress(address: string, allowed: AllowedNetworks = []): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address that is written as IPv6 (::ffff:127.0.0.1) is what it stands for.
  const parsed = ipaddr.process(address);
  if (allowed.some((network) => isInside(parsed, network))) return true;
  // Every other range leads somewhere else than it says: NAT64, 6to4 and Teredo carry an IPv4 address inside.
  const isElsewhere = HOST_SERVICES.has(parsed.toString()) || isInNetworks(address, OLD_FORMS);
  return parsed.range() === "unicast" && !isElsewhere;
}

/** Whether an IP address lies in one of some networks, in CIDR form. */
export function isInNetworks(address: string, networks: readonly string[]): boolean {
  return ipaddr.isValid(address) && networks.some((network) => isInside(ipaddr.process(address), network));
}

function isInside(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(network);
  return address.kind() === base.kind() && address.match(base, bits);
}

/** Whether a text is a network in CIDR form, such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}
