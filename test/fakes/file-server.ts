import { createSign, generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { onTestFinished } from "vitest";

/** What a file server answers a request for a path with, in place of the file. */
export type Answer = (request: IncomingMessage, reply: ServerResponse, file: Buffer) => unknown;

/** A server of files over https, which this process trusts. */
export interface FileServer {
  /** `https://localhost:PORT`. */
  readonly origin: string;
  readonly port: number;
  /** Path and range of each request. */
  readonly asked: { readonly path: string; readonly range: string | null }[];
  /** Files by path. */
  readonly files: Map<string, Buffer>;
  /** How the next requests for a path are answered, one after the other; then as a file server does. */
  answer(path: string, ...answers: readonly Answer[]): void;
  close(): void;
}

const certificate = selfSigned();
let isTrusted = false;

/** Starts a server of files, with ranges and entity tags as real ones have them. It ends with the test. */
export async function startFileServer(files: Readonly<Record<string, string | Buffer>> = {}): Promise<FileServer> {
  if (!isTrusted) setDefaultCACertificates([...getCACertificates(), certificate.cert]);
  isTrusted = true;
  const answers = new Map<string, Answer[]>();
  const asked: FileServer["asked"][number][] = [];
  const kept = new Map(Object.entries(files).map(([path, file]) => [path, Buffer.from(file)]));
  const listener: RequestListener = (request, reply) => {
    const path = request.url ?? "";
    asked.push({ path, range: request.headers.range ?? null });
    const file = kept.get(path);
    const answer = answers.get(path)?.shift() ?? (file === undefined ? null : serveFile);
    if (answer === null) reply.writeHead(404).end("not here");
    else answer(request, reply, file ?? Buffer.alloc(0));
  };
  const server = createServer(certificate, listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return {
    origin: `https://localhost:${port}`,
    port,
    asked,
    files: kept,
    answer: (path, ...more) => void answers.set(path, [...(answers.get(path) ?? []), ...more]),
    close,
  };
}

/** Serves a file, or the rest of it that is asked for while its tag is the same. */
export const serveFile: Answer = (request, reply, file) => {
  const etag = `"${file.length}-${file.subarray(0, 8).toString("hex")}"`;
  const { range, "if-range": mark } = request.headers;
  const [, start] = /^bytes=(\d+)-$/.exec(range ?? "") ?? [];
  if (start === undefined || (mark !== undefined && mark !== etag)) {
    reply.writeHead(200, { etag, "content-length": file.length, "accept-ranges": "bytes" }).end(file);
  } else if (Number(start) >= file.length) {
    reply.writeHead(416, { "content-range": `bytes */${file.length}` }).end();
  } else {
    const rest = file.subarray(Number(start));
    const where = `bytes ${start}-${file.length - 1}/${file.length}`;
    reply.writeHead(206, { etag, "content-length": rest.length, "content-range": where }).end(rest);
  }
};

/** Serves the beginning, and breaks the line. */
export const cutAfter =
  (bytes: number): Answer =>
  (_request, reply, file) => {
    const etag = `"${file.length}-${file.subarray(0, 8).toString("hex")}"`;
    reply.writeHead(200, { etag, "content-length": file.length });
    reply.write(file.subarray(0, bytes), () => setImmediate(() => reply.destroy()));
  };

/** Serves the beginning, and then falls silent. */
export const silentAfter =
  (bytes: number): Answer =>
  (_request, reply, file) => {
    reply.writeHead(200, { "content-length": file.length }).write(file.subarray(0, bytes));
  };

/** Leads to another address. */
export const redirectTo =
  (location: string): Answer =>
  (_request, reply) =>
    reply.writeHead(302, { location }).end();

/** A key and a certificate for `localhost` and `files.test`, which signs itself. */
function selfSigned(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const name = sequence(set(sequence(oid("550403"), tagged(0x0c, Buffer.from("localhost")))));
  const signedBy = sequence(oid("2a8648ce3d040302"));
  const names = ["localhost", "files.test"].map((host) => tagged(0x82, Buffer.from(host)));
  const extensions = sequence(
    sequence(oid("551d11"), tagged(0x04, sequence(...names))),
    sequence(oid("551d13"), tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff]))))),
  );
  const time = (text: string) => tagged(0x17, Buffer.from(text));
  const toSign = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    signedBy,
    name,
    sequence(time("200101000000Z"), time("491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, extensions),
  );
  const signature = createSign("sha256").update(toSign).sign(privateKey);
  const whole = sequence(toSign, signedBy, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function set(part: Buffer): Buffer {
  return tagged(0x31, part);
}

function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, "hex"));
}

function integer(value: number): Buffer {
  return tagged(0x02, Buffer.from([value]));
}
