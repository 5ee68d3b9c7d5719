import { presetNamed } from "../../../src/engine/models/presets.ts";
import type { PromptPart, Question } from "../../../src/engine/models/question.ts";
import type { VisionSettings } from "../../../src/engine/models/vision-settings.ts";
import type { ModelServerDouble } from "../../fakes/model-server.ts";

/** The shortest picture. */
export const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xd9]);
/** The shape of an answer. */
const SCHEMA = { name: "answer", strict: true, schema: { type: "object" } } as const;

/** A question with so many pictures, each under its words. */
export function question(pictures = 0, more: Partial<Question> = {}): Question {
  const shown = Array.from({ length: pictures }, (_, index): PromptPart[] => [
    { text: `Picture ${index}:` },
    { jpeg: JPEG },
  ]);
  const parts = [...shown.flat(), { text: "What is there?" }];
  return { system: "You describe.", turns: [{ from: "user", parts }], schema: SCHEMA, ...more };
}

/** Settings for a model at a server, as the preset of that name has them. */
export function settings(server: ModelServerDouble, name: string, more: Partial<VisionSettings> = {}): VisionSettings {
  const preset = presetNamed(name);
  const known = preset === undefined ? {} : { preset };
  return {
    baseUrl: `${server.origin}/v1`,
    model: "eyes",
    apiKey: "secret-key",
    timeoutSeconds: 20,
    ...known,
    ...more,
  };
}

/** What a server was asked at a path. */
export const at = (server: ModelServerDouble, path: string) => server.asked.filter((one) => one.path === path);
/** The questions that a server was asked. */
export const chats = (server: ModelServerDouble) => at(server, "/v1/chat/completions");
