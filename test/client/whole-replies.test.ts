import fc from "fast-check";
import { expect, test } from "vitest";
import type * as z from "zod/mini";
import { type DoneJob, readJob } from "../../src/client/job-reply.ts";
import { readModels } from "../../src/client/models-reply.ts";
import { type JsonObject, readMoments, readWordings } from "../../src/client/reply.ts";
import { readHeardRanges } from "../../src/client/report-reply.ts";
import {
  readModelEstimate,
  readSettingChoices,
  readSettings,
  readSettingsTest,
} from "../../src/client/settings-reply.ts";
import { readTextFile, readTextReading, type TextReading } from "../../src/client/text-reply.ts";
import { DoneJobReplySchema, MomentsReplySchema } from "../../src/contract/job.ts";
import { HeardReplySchema } from "../../src/contract/media.ts";
import { ModelsReplySchema } from "../../src/contract/models.ts";
import {
  type ReadTextReply,
  ReadTextReplySchema,
  type TextReadingReply,
  TextReadingReplySchema,
} from "../../src/contract/read-text.ts";
import {
  ModelEstimateReplySchema,
  SettingChoicesReplySchema,
  SettingsReplySchema,
  SettingsTestReplySchema,
} from "../../src/contract/service-settings.ts";
import { WordingsReplySchema } from "../../src/contract/wordings.ts";
import { arbitraryOf } from "./arbitrary-of.ts";

/** As every list has several entries, few replies tell. */
const RUNS = 20;

/** What is read of a reply, its schema and reader, and what becomes of what was sent where its names are other ones then. */
type Read = readonly [
  name: string,
  schema: z.ZodMiniType,
  read: (reply: JsonObject) => unknown,
  told: (reply: never) => unknown,
];
const asSent = (reply: unknown) => reply;

const READERS: readonly Read[] = [
  ["the settings", SettingsReplySchema, readSettings, asSent],
  ["what can be set", SettingChoicesReplySchema, readSettingChoices, asSent],
  ["a test of settings", SettingsTestReplySchema, readSettingsTest, asSent],
  ["an estimate", ModelEstimateReplySchema, readModelEstimate, asSent],
  ["the models", ModelsReplySchema, readModels, asSent],
  ["wordings", WordingsReplySchema, readWordings, ({ ignored: _, ...wordings }: JsonObject) => wordings],
  ["what was heard", HeardReplySchema, readHeardRanges, ({ duration_seconds: _, ...heard }: JsonObject) => heard],
  ["which files are read", TextReadingReplySchema, readTextReading, readingTold],
  ["what was read of a file", ReadTextReplySchema, readTextFile, textTold],
  ["pictures of moments", MomentsReplySchema, readMoments, ({ pictures }: JsonObject) => pictures],
];

function readingTold({ maximum_bytes: maximumBytes, endings }: TextReadingReply): TextReading {
  return { maximumBytes, endings };
}

/** A reading that says nothing of what could be chosen is none; cues are counted. */
function textTold({ ignored: _, receipt: { left_out: leftOut, ...receipt }, verdict, ...rest }: ReadTextReply) {
  const cuesOf = (cues: readonly object[]) => cues.map((cue, index) => ({ id: String(index + 1), ...cue }));
  const readings =
    verdict.kind === "unsure" ? verdict.readings.filter(({ choice }) => Object.keys(choice).length > 0) : [];
  const counted = readings.map(({ preview, ...one }) => ({ ...one, preview: cuesOf(preview) }));
  return {
    ...rest,
    verdict: verdict.kind === "unsure" ? { ...verdict, readings: counted } : verdict,
    receipt: { ...receipt, leftOut },
  };
}

test.each(READERS)("%s are read as the service sent them, to the last entry", (_, schema, read, told) => {
  fc.assert(
    fc.property(arbitraryOf(schema), (sent) => {
      expect(read(JSON.parse(JSON.stringify(sent)))).toEqual(told(sent as never));
    }),
    { numRuns: RUNS },
  );
});

test("the report of a job and what it cost are read as the service sent them, to the last entry", () => {
  fc.assert(
    fc.property(arbitraryOf(DoneJobReplySchema), (sent) => {
      const { report, cost } = readJob(sent as JsonObject, "j") as DoneJob;
      expect({ report, cost }).toEqual(pick(sent as JsonObject));
    }),
    { numRuns: RUNS },
  );
});

function pick({ report, cost }: JsonObject): JsonObject {
  return { report, cost };
}
