import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A web host on this machine, for what is fetched by address. */
export interface WebHost {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  readonly port: number;
  /** Paths asked for, in order. */
  readonly asked: string[];
  /** What answers a path; unknown ones are 404. */
  readonly pages: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
  close(): Promise<void>;
}

/** Starts a web host. */
export async function startWebHost(): Promise<WebHost> {
  const asked: string[] = [];
  const pages: WebHost["pages"] = new Map();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const page = pages.get(path.split("?")[0] ?? "");
    if (page === undefined) response.writeHead(404).end("no such page");
    else page(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked,
    pages,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
