import { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { hostname } from "node:os";
import type { FastifyRequest } from "fastify";
import type { ServiceConfiguration } from "../configuration.ts";
import { RequestError } from "../request-error.ts";

/**
 * The names under which the service is reached. A page of somebody else can have its own name lead to this computer (DNS
 * rebinding) and read what needs no key; its requests bear that name. An IP address, and a name without a dot, is nobody's
 * to give away: those are always known.
 */
export class KnownHosts {
  readonly #names: Set<string>;

  constructor({ public_url, allowed_hosts }: Pick<ServiceConfiguration, "public_url" | "allowed_hosts">) {
    const own = hostname();
    const names = [...allowed_hosts, own, `${own}.local`];
    if (public_url !== undefined) names.push(new URL(public_url).hostname);
    this.#names = new Set(names.map((name) => name.toLowerCase()));
  }

  /** Adds the name that the service listens on. */
  add(name: string): void {
    this.#names.add(name.toLowerCase());
  }

  /**
   * Why a request is refused for the host that it names; `null` where that is known. What a program asks of the service in
   * its own process comes from no page.
   */
  refusalOf(request: FastifyRequest): RequestError | null {
    if (!(request.raw instanceof IncomingMessage)) return null;
    const name = nameIn(request.host);
    if (name === null) {
      return new RequestError("invalid_input", "The Host header names no host. Send that of the service.");
    }
    const isAddress = isIP(name.replace(/^\[|\]$/g, "")) !== 0;
    if (isAddress || !name.includes(".") || name.endsWith(".localhost") || this.#names.has(name)) return null;
    return new RequestError(
      "invalid_input",
      "The service is not known under the name in the Host header. Its operator adds it to allowed_hosts, or sets public_url.",
    );
  }
}

/** Characters of a host with its port, at most: names have 253. */
const LONGEST_HOST = 260;

/** The name in a Host header, without port, in lower case; `null` for what is no host. */
function nameIn(host: string): string | null {
  // What a URL would take for more than a host, or for a longer one than there is.
  if (host === "" || host.length > LONGEST_HOST || /[\s/\\?#@]/.test(host)) return null;
  const url = URL.parse(`http://${host}`);
  return url === null ? null : url.hostname.replace(/\.$/, "");
}
