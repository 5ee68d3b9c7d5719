import type { FastifyRequest } from "fastify";

/** How long, and for how many bytes, a body that nobody wants is still taken after its request was answered. */
const LINGER_MS = 5_000;
const LINGER_BYTES = 64 * 1024 * 1024;

/**
 * Takes and forgets what a client still sends after it was answered, for a while. Closing at once would reset the
 * connection, and a client that is busy sending would never see the answer, which often says why to stop.
 */
export function lingerAfterReply(request: FastifyRequest): void {
  const { raw } = request;
  if (raw.complete || raw.readableEnded || raw.destroyed) return;
  let left = LINGER_BYTES;
  const end = () => raw.destroy();
  const timer = setTimeout(end, LINGER_MS);
  timer.unref();
  for (const event of ["end", "close"]) raw.once(event, () => clearTimeout(timer));
  raw.unpipe();
  raw.on("data", (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  });
}
