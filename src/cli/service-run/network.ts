import type { Fetch } from "../../client/fetch.ts";

/** Longest reply that is read, in bytes; what is longer is none of the service's. */
const MAX_REPLY_BYTES = 64 * 1024 * 1024;

/** Node's `fetch`, reading no more of a reply than fits the memory of a small machine. */
export const nodeFetch: Fetch = async (address, init) => {
  const reply = await fetch(address, init);
  return { status: reply.status, headers: reply.headers, text: () => boundedText(reply) };
};

async function boundedText(reply: Response): Promise<string> {
  if (reply.body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const piece of reply.body) {
    length += piece.length;
    if (length > MAX_REPLY_BYTES) throw new Error("the reply is too long to be one of the service");
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
