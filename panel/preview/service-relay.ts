import { type IncomingMessage, type ServerResponse, request as sendHttp } from "node:http";

/**
 * Passes a request on to the service and its answer back, byte for byte. The page and the service share an origin this
 * way, as a browser demands; the `Host` header goes along, so that the service's signed links lead here too.
 */
export function relay(serviceUrl: string, request: IncomingMessage, reply: ServerResponse): void {
  const { method, headers } = request;
  const onward = sendHttp(new URL(request.url ?? "/", serviceUrl), { method, headers, setHost: false }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(reply);
    answer.on("error", () => reply.destroy());
  });
  // No answer is what the panel must see when the service is gone, so no answer of our own stands in for it.
  onward.on("error", () => reply.destroy());
  reply.on("close", () => onward.destroy());
  request.pipe(onward);
}
