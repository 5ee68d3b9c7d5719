import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** Storage that takes a file in slices, in the `Content-Range` manner of cloud storage, and can break the line. */
export interface ResumableStorage {
  readonly url: string;
  /** Bytes from the start that are stored. */
  committed(): number;
  /** What arrived, as `Content-Range` said it. */
  readonly ranges: readonly string[];
  /** Content types that arrived. */
  readonly types: ReadonlySet<string>;
  /** Breaks the line once, as soon as this many bytes are stored: the rest of that slice is lost. */
  breakAt(bytes: number): void;
  /** Answers the next request with this status and text instead. */
  refuseOnce(status: number, body: string): void;
  close(): Promise<void>;
}

/** Starts it on a free port. `keep` is given every stored piece, in order. */
export async function startResumableStorage(
  keep: (piece: Uint8Array) => void = () => undefined,
): Promise<ResumableStorage> {
  const state = { committed: 0, breaks: [] as number[], refusal: null as { status: number; body: string } | null };
  const ranges: string[] = [];
  const types = new Set<string>();
  const server = createServer((request, reply) => {
    const range = request.headers["content-range"] ?? "";
    ranges.push(range);
    types.add(request.headers["content-type"] ?? "");
    if (state.refusal !== null) {
      const { status, body } = state.refusal;
      state.refusal = null;
      request.resume();
      reply.writeHead(status).end(body);
      return;
    }
    const slice = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range);
    if (slice === null) return answer(request, reply, Number(range.split("/")[1]));
    if (Number(slice[1]) !== state.committed) return void reply.writeHead(416).end();
    request.on("data", (piece: Uint8Array) => {
      const limit = state.breaks[0];
      const taken = limit === undefined ? piece : piece.subarray(0, Math.max(0, limit - state.committed));
      keep(taken);
      state.committed += taken.byteLength;
      if (limit === undefined || state.committed < limit) return;
      state.breaks.shift();
      request.destroy();
    });
    request.on("end", () => answer(request, reply, Number(slice[3])));
  });

  function answer(request: IncomingMessage, reply: ServerResponse, total: number): void {
    request.resume();
    if (state.committed >= total) return void reply.writeHead(200).end("{}");
    const range = state.committed === 0 ? {} : { Range: `bytes=0-${state.committed - 1}` };
    reply.writeHead(308, range).end();
  }

  return {
    url: `http://127.0.0.1:${await listen(server)}/upload?signature=secret`,
    committed: () => state.committed,
    ranges,
    types,
    breakAt: (bytes) => state.breaks.push(bytes),
    refuseOnce: (status, body) => {
      state.refusal = { status, body };
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no port"));
      else resolve(address.port);
    });
  });
}
