import type { FastifyInstance } from "fastify";
import {
  READ_TEXT_LIMITS,
  type ReadTextAsked,
  type ReadTextReply,
  ReadTextRequest,
  type TextReadingReply,
} from "../../contract/read-text.ts";
import { SERVED_ROUTES } from "../../contract/routes.ts";
import { bytesFromBase64 } from "../../core/bytes.ts";
import { frameRate } from "../../core/frame-rate.ts";
import { defined } from "../../core/objects.ts";
import type { FrameGrid } from "../../core/settings.ts";
import { parseTimecode } from "../../core/timecode.ts";
import { chosenBy } from "../../formats/read-by.ts";
import { FILE_ENDINGS } from "../../formats/read-file.ts";
import { RequestError } from "../request-error.ts";
import { parseRequest, reportIgnored } from "./parse-request.ts";
import type { FileToRead } from "./read-text-file.ts";
import { callerOf, type ServiceParts } from "./service-parts.ts";

/** `read_text`, an addition of this service: reads a file as a job would be given it. Nothing of it is kept. */
export function addTextRoutes(app: FastifyInstance, parts: ServiceParts): void {
  app.get(
    SERVED_ROUTES.getTextReading.path,
    async (): Promise<TextReadingReply> => ({ status: "available", ...READ_TEXT_LIMITS, endings: FILE_ENDINGS }),
  );

  app.post(SERVED_ROUTES.readText.path, async (request): Promise<ReadTextReply> => {
    const team = callerOf(request);
    const { value, ignored } = parseRequest(ReadTextRequest, request.body);
    const read = await parts.texts.file(team.id, fileOf(value));
    return { ...read, ...reportIgnored(ignored) };
  });
}

/** @throws RequestError `invalid_input` for what is no Base64, too long, or a rate or label that cannot be. */
function fileOf({ content, filename, holds, film, choice }: ReadTextAsked): FileToRead {
  const bytes = bytesFromBase64(content);
  if (bytes === null) throw new RequestError("invalid_input", '"content" is no Base64.');
  const { maximum_bytes } = READ_TEXT_LIMITS;
  if (bytes.length > maximum_bytes) {
    throw new RequestError("invalid_input", `"content" has ${bytes.length} bytes; at most ${maximum_bytes} are read.`);
  }
  const speech = film.speech?.map(([start, end]) => ({ start, end }));
  return {
    bytes,
    filename,
    reading: {
      holds,
      ...defined({ durationSeconds: film.duration_seconds, speech, grid: gridOf(film) }),
      ...chosenBy(choice),
    },
  };
}

function gridOf({ frame_rate, start_timecode = "00:00:00:00" }: ReadTextAsked["film"]): FrameGrid | undefined {
  if (frame_rate === undefined) return undefined;
  const [numerator = 0, denominator = 0] = frame_rate.split("/").map(Number);
  if (numerator === 0 || denominator === 0) throw new RequestError("invalid_input", '"film.frame_rate" is no rate.');
  const rate = frameRate(numerator, denominator);
  const isDropFrame = start_timecode.includes(";");
  const label = parseTimecode(start_timecode, { rate, isDropFrame }, { dropped: "next" });
  if (!label.ok) throw new RequestError("invalid_input", `"film.start_timecode" is no label at ${frame_rate}.`);
  return { rate, isDropFrame, startFrame: label.frame };
}
