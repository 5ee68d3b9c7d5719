import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { hostname } from "node:os";
import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { KnownHosts } from "../../../src/service/http/request-rate.ts";

// Names in a Host header, asked of what knows them.

const hosts = new KnownHosts({
  public_url: "https://Aside.Public.example:8443/x",
  allowed_hosts: ["One.example", "two.example"],
});
hosts.add("Listens.example");
/** What a request over a network is refused for, by the host that it names. */
const refusalOf = (host: string) =>
  hosts.refusalOf({ raw: new IncomingMessage(new Socket()), host } as unknown as FastifyRequest)?.message ?? null;

test("every name that was allowed is known, however it is written, with a port and without", () => {
  const own = hostname();
  for (const name of ["one.example", "TWO.example", "aside.public.example", "listens.example", own, `${own}.local`]) {
    for (const host of [name, `${name}:80`, `${name}.`]) expect([host, refusalOf(host)]).toEqual([host, null]);
  }
});

test("addresses, and names that nobody can give away, are known", () => {
  for (const host of ["127.0.0.1", "[::1]:80", "aside", "a.localhost"])
    expect([host, refusalOf(host)]).toEqual([host, null]);
});

test("any other name is refused, and so is what is no name or longer than any", () => {
  for (const host of ["three.example", "one.example.evil.example", "xone.example"]) {
    expect([host, refusalOf(host)]).toEqual([host, expect.stringContaining("not known")]);
  }
  expect(refusalOf("a".repeat(260))).toBeNull();
  for (const host of ["", "a b", "a/b", "a@b", "a".repeat(261)]) {
    expect([host, refusalOf(host)]).toEqual([host, expect.stringContaining("names no host")]);
  }
});

test("what a program asks in its own process comes from no page", () => {
  expect(hosts.refusalOf({ raw: {}, host: "three.example" } as unknown as FastifyRequest)).toBeNull();
});
