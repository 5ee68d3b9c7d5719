import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Environment } from "../../../src/engine/outgoing/local-only.ts";
import { openRelay } from "../../../src/engine/outgoing/relay.ts";
import { RIGHTS } from "../../../src/engine/tasks/task-rights.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

type Asking = "describe" | "voiceLine" | "wordings";

/** Addresses that a task may ask, of those that are given. */
function asked(task: Asking, environment: Environment, addresses: readonly string[]): string[] {
  const outlets = RIGHTS[task].asks?.(environment) ?? [];
  return addresses.filter((address) => outlets.some(({ takes }) => takes(new URL(address))));
}

/** A server by its place, with what each kind of server is asked. */
const MODEL = ["/v1/chat/completions", "/v1/models", "/api/chat", "/api/show", "/api/tags", "/props"];
const SPEECH = ["/v1/audio/speech", "/v1/audio/voices"];
const TRANSCRIPTION = ["/v1/audio/transcriptions", "/inference", "/"];
/** What would change a server, or is nobody's business. */
const OTHER = ["/api/pull", "/api/delete", "/v1/files", "/v1/audio/speech/more", "/etc"];
const all = (origin: string) => [...MODEL, ...SPEECH, ...TRANSCRIPTION, ...OTHER].map((path) => `${origin}${path}`);
const at = (origin: string, ...paths: readonly (readonly string[])[]) => paths.flat().map((path) => `${origin}${path}`);

const PROGRAM = "http://voice-program.invalid/";
const NOBODY = { ASIDE_VISION_URL: "off", ASIDE_TRANSCRIPTION_URL: "off" };

describe("whom a task may ask", () => {
  test("is the server that is named for each kind of work, and what that kind asks", () => {
    const named = {
      ...{ ASIDE_VISION_URL: "https://sees.example/v1", ASIDE_VISION_MODEL: "m", ASIDE_VISION_KEY: "k" },
      ...{ ASIDE_TRANSCRIPTION_URL: "https://hears.example/v1", ASIDE_TRANSCRIPTION_MODEL: "m" },
      ...{ ASIDE_VOICE_URL: "https://speaks.example/v1", ASIDE_VOICE_MODEL: "m" },
    };
    const [sees, hears, speaks] = ["https://sees.example", "https://hears.example", "https://speaks.example"] as const;
    const addresses = [sees, hears, speaks, "https://elsewhere.example"].flatMap(all);
    expect(asked("describe", named, addresses)).toEqual([
      ...at(sees, MODEL),
      // A server of transcription lists its models too.
      ...at(hears, ["/v1/models"], TRANSCRIPTION),
      ...at(speaks, SPEECH),
    ]);
    expect(asked("voiceLine", named, addresses)).toEqual(at(speaks, SPEECH));
    expect(asked("wordings", named, addresses)).toEqual(at(sees, MODEL));
  });

  test("is nobody where nobody is to be asked, and this computer's servers where none is named", () => {
    const here = [
      "http://127.0.0.1:11434",
      "http://127.0.0.1:1234",
      "http://127.0.0.1:8000",
      "https://elsewhere.example",
    ];
    const addresses = here.flatMap(all);
    for (const task of ["describe", "voiceLine", "wordings"] as const)
      expect(asked(task, NOBODY, addresses)).toEqual([]);
    const [ollama, lmStudio, both] = here.map((origin) => at(origin, MODEL));
    expect(asked("wordings", {}, addresses)).toEqual([...(ollama ?? []), ...(lmStudio ?? []), ...(both ?? [])]);
    expect(asked("describe", {}, addresses)).toEqual(
      // Speaches listens where vLLM does.
      [...(ollama ?? []), ...(lmStudio ?? []), ...at(here[2] ?? "", MODEL, TRANSCRIPTION)],
    );
  });

  test("is the program that speaks, by whatever speaks and whatever asks", () => {
    const program = { ...NOBODY, ASIDE_VOICE_COMMAND: '["piper"]' };
    expect(asked("describe", program, [PROGRAM])).toEqual([PROGRAM]);
    expect(asked("voiceLine", program, [PROGRAM])).toEqual([PROGRAM]);
    expect(asked("wordings", program, [PROGRAM])).toEqual([]);
    expect(asked("describe", NOBODY, [PROGRAM])).toEqual([]);
  });
});

test("each server is given its own key, and none of another's", async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer((incoming, reply) => {
    seen.push(incoming.headers.authorization);
    incoming.resume();
    reply.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a server on TCP has a port
  const environment = Object.fromEntries(
    ["VISION", "TRANSCRIPTION", "VOICE"].flatMap((part) => [
      [`ASIDE_${part}_URL`, `${origin}/v1`],
      [`ASIDE_${part}_MODEL`, "m"],
      [`ASIDE_${part}_KEY`, `secret of ${part}`],
    ]),
  );
  const relay = await openRelay(RIGHTS.describe.asks?.(environment) ?? [], await temporaryFolder());
  onTestFinished(() => {
    relay[Symbol.dispose]();
    server.closeAllConnections();
    server.close();
  });
  const authorization = "ASIDE_VISION_KEY, ASIDE_TRANSCRIPTION_KEY, ASIDE_VOICE_KEY";
  for (const path of ["/v1/chat/completions", "/v1/audio/transcriptions", "/v1/audio/speech"]) {
    const options = { socketPath: relay.path, path: `${origin}${path}`, method: "POST", agent: false as const };
    const [reply] = await once(request({ ...options, headers: { authorization } }).end("{}"), "response");
    reply.resume();
  }
  expect(seen).toEqual([
    "secret of VISION, ASIDE_TRANSCRIPTION_KEY, ASIDE_VOICE_KEY",
    "ASIDE_VISION_KEY, secret of TRANSCRIPTION, ASIDE_VOICE_KEY",
    "ASIDE_VISION_KEY, ASIDE_TRANSCRIPTION_KEY, secret of VOICE",
  ]);
});

test("a task knows of the configuration what it needs, and no key that it has no use for", () => {
  expect(RIGHTS.describe.keys).toEqual(["ASIDE_TRANSCRIPTION_KEY", "ASIDE_VISION_KEY", "ASIDE_VOICE_KEY"]);
  expect(RIGHTS.voiceLine.keys).toEqual(["ASIDE_VOICE_KEY"]);
  expect(RIGHTS.wordings.keys).toEqual(["ASIDE_VISION_KEY"]);
  for (const { variables } of Object.values(RIGHTS)) {
    expect(variables.filter((name) => name.endsWith("_KEY"))).toEqual([]);
  }
  for (const task of ["probe", "detectSpeech", "measureSound", "moments", "renderCut"] as const) {
    expect([RIGHTS[task].variables, RIGHTS[task].keys, RIGHTS[task].asks]).toEqual([[], undefined, undefined]);
  }
});
