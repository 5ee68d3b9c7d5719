import { PassThrough, type Readable } from "node:stream";
import { RequestError } from "../request-error.ts";

/**
 * A request's body that must be there in time: a client that sends it byte by byte is answered, and holds nothing.
 *
 * @returns The same bytes; the stream fails with RequestError `invalid_input` when `limitMs` are over first.
 */
export function withDeadline(body: Readable, limitMs: number): Readable {
  const timely = new PassThrough();
  const timer = setTimeout(() => {
    body.unpipe(timely);
    const seconds = limitMs / 1000;
    timely.destroy(new RequestError("invalid_input", `The request body did not arrive within ${seconds} s.`));
  }, limitMs);
  timer.unref();
  body.once("error", (error) => timely.destroy(error));
  timely.once("close", () => clearTimeout(timer));
  // A refusal may come before anybody reads the body; then nobody wants to hear of it either.
  timely.on("error", () => clearTimeout(timer));
  return body.pipe(timely);
}
