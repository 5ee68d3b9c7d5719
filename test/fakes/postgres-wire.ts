import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A server that speaks Postgres' protocol, answers every statement with nothing, and ends connections as a restart does. */
export interface WireServer {
  readonly url: string;
  /** Connections that were taken so far. */
  readonly connections: () => number;
  /** Ends every connection as `pg_terminate_backend` and a clean restart do: 57P01, then the line is closed. */
  terminate(): void;
  /** Breaks every connection off, without a word. */
  breakOff(): void;
  /** Takes no connections for now: as a server that starts up (57P03), or as none. */
  refuse(how: "starting" | "none" | null): void;
  /** The statements that arrived, in order. */
  readonly statements: readonly string[];
  /** Refuses a statement that matches when it arrives, once, as one that breaks a rule of the tables (23505). */
  refuseAt(statement: RegExp): void;
  /** Ends the connection of a statement that matches when it arrives, before it is answered. */
  terminateAt(statement: RegExp): void;
  close(): Promise<void>;
}

/** Starts one on a free port. It is as strict as the real one about the order of messages, and knows no tables. */
export async function startWireServer(): Promise<WireServer> {
  const sockets = new Set<Socket>();
  let taken = 0;
  let refusal: "starting" | "none" | null = null;
  let trap: RegExp | null = null;
  let refused: RegExp | null = null;
  const statements: string[] = [];
  /** Connections whose transaction failed: until it is rolled back they commit nothing. */
  const failed = new WeakSet<Socket>();
  const server = createServer((socket) => {
    if (refusal === "none") return void socket.resetAndDestroy();
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
    let pending: Buffer = Buffer.alloc(0);
    let isStarted = false;
    socket.on("data", (part: Buffer) => {
      pending = Buffer.concat([pending, part]);
      while (pending.length >= (isStarted ? 5 : 4)) {
        const at = isStarted ? 1 : 0;
        const length = pending.readUInt32BE(at) + at;
        if (pending.length < length) return;
        const type = isStarted ? String.fromCharCode(pending[0] ?? 0) : "startup";
        const body = pending.subarray(at + 4, length);
        pending = pending.subarray(length);
        if (type === "startup") {
          if (refusal === "starting") return void socket.end(errorOf("57P03", "the database system is starting up"));
          isStarted = true;
          taken++;
          socket.write(Buffer.concat([message("R", int32(0)), READY]));
        } else if (type === "X") socket.end();
        else answer(socket, type, body);
      }
    });
  });
  const answer = (socket: Socket, type: string, body: Buffer) => {
    const statement = type === "Q" || type === "P" ? body.toString("utf8") : "";
    if (trap?.test(statement) === true) {
      trap = null;
      return void socket.end(TERMINATED);
    }
    if (statement !== "") statements.push(statement.split("\0").find((part) => part !== "") ?? "");
    if (refused?.test(statement) === true) {
      refused = null;
      failed.add(socket);
      return void socket.write(
        Buffer.concat([errorOf("23505", "duplicate key", "ERROR"), ...(type === "Q" ? [READY] : [])]),
      );
    }
    const [verb = ""] = statement.split(/[\s\0]/);
    const isEnd = verb === "COMMIT" || verb === "ROLLBACK";
    // A transaction that failed is rolled back by COMMIT too, without an error.
    const tag = isEnd && failed.has(socket) ? "ROLLBACK" : isEnd || verb === "BEGIN" ? verb : "SELECT 0";
    if (isEnd) failed.delete(socket);
    if (type === "Q") socket.write(Buffer.concat([message("C", text(tag)), READY]));
    else if (type === "P") socket.write(message("1"));
    else if (type === "B") socket.write(message("2"));
    else if (type === "D") socket.write(message("n"));
    else if (type === "E") socket.write(message("C", text("SELECT 0")));
    else if (type === "S") socket.write(READY);
  };
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // listening on TCP
  return {
    url: `postgres://aside@127.0.0.1:${port}/records`,
    connections: () => taken,
    terminate() {
      for (const socket of sockets) socket.end(TERMINATED);
    },
    breakOff() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    refuse(how) {
      refusal = how;
    },
    statements,
    refuseAt(statement) {
      refused = statement;
    },
    terminateAt(statement) {
      trap = statement;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function message(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function text(words: string): Buffer {
  return Buffer.from(`${words}\0`);
}

function errorOf(code: string, words: string, severity = "FATAL"): Buffer {
  const fields = [text(`S${severity}`), text(`V${severity}`), text(`C${code}`), text(`M${words}`), Buffer.from([0])];
  return message("E", Buffer.concat(fields));
}

const READY = message("Z", Buffer.from("I"));
const TERMINATED = errorOf("57P01", "terminating connection due to administrator command");
