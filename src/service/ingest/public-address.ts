import ipaddr from "ipaddr.js";

/** Networks that count as public though they are not, in CIDR form; for services that fetch from their own network. */
export type AllowedNetworks = readonly string[];

/**
 * Addresses in public ranges that lead into the cloud host a service runs on: Azure's wire server, which hands out
 * credentials. Those of other clouds lie in ranges that are refused anyway.
 */
const HOST_SERVICES = new Set(["168.63.129.16"]);

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
  return parsed.range() === "unicast" && !HOST_SERVICES.has(parsed.toString());
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
