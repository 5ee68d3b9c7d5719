import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { turns } from "../../fakes/set-clock.ts";
import { openRoutes, type RouteServer } from "./route-server.ts";

// A request that is answered while its sender still sends: the answer arrives, and the connection does not stay for it.

let routes: RouteServer;
let port = 0;
beforeEach(async () => {
  routes = await openRoutes({});
  port = await routes.listen();
});
afterEach(async () => {
  vi.useRealTimers();
  await routes.close();
});

/** Begins a request with a body that is longer than any is taken, by whoever has a key or none; resolves once it was refused. */
async function refused(status = 400): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(
    `POST /enterprise/api/generate_ad_text HTTP/1.1\r\nHost: localhost\r\n${status === 401 ? "" : "X-API-Key: program\r\n"}` +
      "Content-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n",
  );
  const [answer] = await once(socket, "data");
  expect(String(answer)).toContain(`HTTP/1.1 ${status} `);
  return socket;
}

/** Resolves when a connection takes more, or is closed. */
function moreOrOver(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const events = ["drain", "close"];
    const over = () => {
      for (const event of events) socket.off(event, over);
      resolve();
    };
    for (const event of events) socket.on(event, over);
  });
}

/** Sends until nobody takes it any more; resolves with how many megabytes that were. */
async function sendOn(socket: Socket): Promise<number> {
  const megabyte = Buffer.alloc(2 ** 20, " ");
  for (let sent = 0; sent < 200; sent++) {
    if (socket.destroyed) return sent;
    if (!socket.write(megabyte)) await moreOrOver(socket);
  }
  return 200;
}

test("what is sent on is taken and forgotten, and the connection is closed after 64 MiB of it", async () => {
  const megabytes = await sendOn(await refused());
  expect(megabytes).toBeGreaterThanOrEqual(64);
  // What lies in the buffers of both sides.
  expect(megabytes).toBeLessThan(96);
});

test.each([400, 401])("a sender who was answered by %i is let go after five seconds, and no sooner", async (status) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const socket = await refused(status);
  // It is logged when its answer has left: the five seconds begin then.
  while (!routes.logged.some((line) => line.includes('"request"'))) await turns();
  socket.write("{");
  await vi.advanceTimersByTimeAsync(4_999);
  expect(socket.destroyed).toBe(false);
  const closed = once(socket, "close");
  await vi.advanceTimersByTimeAsync(1);
  await closed;
});
