import { faultOf, type ServerReply } from "./exchange.ts";

/** What a server's refusal says of what it takes. */
export interface ToldLimits {
  /** Pictures that one request may hold. */
  readonly pictures?: number;
  /** Share of the request that would have fitted into the model's context, above 0 and below 1. */
  readonly share?: number;
  /** Whether it answers only by a stream. */
  readonly onlyStreams: boolean;
  /** Whether it takes instructions in the user's own message alone. */
  readonly hasNoSystem: boolean;
  /** Whether the model does not see pictures. */
  readonly isBlind: boolean;
}

/** How many pictures: "At most 4 image(s) may be provided in one prompt" (vLLM), "too many images: 9, maximum is 5". */
const PICTURES =
  /(?:at most|maximum(?: of| is|:)?|max(?:imum)? (?:number of )?images?(?: is| per \w+(?: is)?|:)?|limit(?: of| is|:)?|up to|only) ?(\d+) ?(?:images?|pictures?)?/i;

/** "maximum context length is 4096 tokens. However, you requested 9120" (vLLM), "request (9120 tokens) exceeds … (4096 tokens)" (llama.cpp). */
const CONTEXTS = [
  /(?:maximum )?context (?:length|size|window)\D{0,20}(\d+)\D{0,60}?(?:requested|has|resulted in|got|input is|prompt is)\D{0,10}(\d+)/i,
  /\((?<asked>\d+) tokens\) exceeds\D{0,60}\((?<holds>\d+) tokens\)/i,
  /(?<asked>\d+) tokens\b.{0,80}?(?:maximum|limit|exceeds?|larger than)\D{0,60}(?<holds>\d+)/i,
];

const ONLY_STREAMS =
  /only supports? stream|enable the stream|stream(?:ing)? (?:mode )?(?:is )?(?:required|must be)|must be (?:called )?with stream/i;

const NO_SYSTEM =
  /system (?:role|message|prompt)s?\b.{0,30}\bnot (?:be )?(?:supported|allowed)|only user and assistant roles/i;

const BLIND =
  /(?:image input|images?|vision|multimodal|mmproj).{0,60}\b(?:not|isn't|no|without)\b.{0,20}\b(?:supported|loaded|support|enabled|available)|(?:does not|doesn't|cannot) (?:support|accept|process|take) (?:image|vision|picture|multimodal)|not a (?:multimodal|vision) model|No endpoints found that support image/i;

/** Reads what a refusal says of what its server takes. A limit that was kept to, or that is none, is not told. */
export function toldLimits(reply: Pick<ServerReply, "body">, sentPictures: number): ToldLimits {
  const { message } = faultOf(reply);
  const most = /\bimage|\bpicture/i.test(message) ? Number(PICTURES.exec(message)?.[1] ?? Number.NaN) : Number.NaN;
  const share = contextShare(message);
  const isTooMany = most >= 1 && most < sentPictures;
  return {
    ...(isTooMany ? { pictures: most } : {}),
    ...(share === null ? {} : { share }),
    onlyStreams: ONLY_STREAMS.test(message),
    hasNoSystem: NO_SYSTEM.test(message),
    isBlind: sentPictures > 0 && !isTooMany && BLIND.test(message),
  };
}

function contextShare(message: string): number | null {
  for (const pattern of CONTEXTS) {
    const found = pattern.exec(message);
    if (found === null) continue;
    const holds = Number(found.groups?.["holds"] ?? found[1]);
    const asked = Number(found.groups?.["asked"] ?? found[2]);
    if (holds > 0 && asked > holds) return holds / asked;
  }
  return null;
}
