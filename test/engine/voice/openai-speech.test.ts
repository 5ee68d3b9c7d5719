import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { LEDGER_HEADER } from "../../../src/engine/outgoing/ledger.ts";
import { spokenSeconds } from "../../../src/engine/spoken-line.ts";
import { OpenAiSpeechVoice } from "../../../src/engine/voice/openai-speech.ts";
import { SpeechError } from "../../../src/engine/voice/voice.ts";
import { OPENAI_VOICES } from "../../../src/engine/voice/voice-names.ts";
import { spokenWave } from "../../fakes/spoken-wave.ts";
import { makeMedia } from "../../made-media.ts";
import { voiceSuite } from "../../suites/voice.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { thoroughTest } from "../../thorough/thorough-test.ts";

/** A request for speech as the server saw it. */
interface Asked {
  readonly path: string | undefined;
  readonly key: string | undefined;
  readonly body: {
    readonly model: string;
    readonly voice: string;
    readonly input: string;
    readonly response_format: string;
    readonly speed: number;
  };
}

type Answer = (response: ServerResponse, asked: Asked) => Promise<void> | void;

const speakWave: Answer = async (response, { body }) => {
  response.setHeader("content-type", "audio/wav").end(await spokenWave(body.input, body.speed));
};

let server: Server;
let answer: Answer = speakWave;
const asked: Asked[] = [];

beforeAll(async () => {
  server = createServer((request: IncomingMessage, response) => {
    text(request)
      .then((body) => {
        // The body is what the adapter under test sent; the assertions look at its members.
        const seen: Asked = {
          path: request.url,
          key: request.headers.authorization,
          body: JSON.parse(body) as Asked["body"],
        };
        asked.push(seen);
        return answer(response, seen);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => server.close());
afterEach(() => {
  answer = speakWave;
  asked.length = 0;
});

function speaker(timeoutSeconds = 20): OpenAiSpeechVoice {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return new OpenAiSpeechVoice({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    model: "kokoro",
    apiKey: "secret-key",
    timeoutSeconds,
    names: { own: { Kore: "af_kore" }, byGender: OPENAI_VOICES, languages: ["en", "de-DE"] },
  });
}

/** A second of a tone as AAC. */
async function shortAac(): Promise<string> {
  const path = join(await temporaryFolder(), "tone.m4a");
  makeMedia(path, [{ graph: "sine=frequency=220:duration=1:sample_rate=24000", codec: "aac" }]);
  return path;
}

const REQUEST = { text: "A woman sits at a desk.", language: "en-GB", voice: "Kore", rate: 1 };

voiceSuite("openai-speech", {
  open: async () => speaker(),
  speaks: { language: "en-US", voice: "Achernar" },
  lacks: { language: "ja-JP", voice: "Achernar" },
});

describe("openai-speech", () => {
  test("asks for WAV from the model, with the key, the server's voice and the pace", async () => {
    await speaker().speak({ ...REQUEST, rate: 1.1 });
    expect(asked).toEqual([
      {
        path: "/v1/audio/speech",
        key: "Bearer secret-key",
        body: { model: "kokoro", voice: "af_kore", input: REQUEST.text, response_format: "wav", speed: 1.1 },
      },
    ]);
    await speaker().speak({ ...REQUEST, voice: "Charon" });
    await speaker().speak({ ...REQUEST, voice: "Charon" });
    expect(asked.slice(1).map(({ body }) => body.voice)).toEqual(["ballad", "ballad"]);
  });

  test("reads sound whose header leaves its sizes open, and samples without a header", async () => {
    const whole = await speaker().speak(REQUEST);
    answer = async (response, { body }) => {
      const wave = await spokenWave(body.input, 1);
      wave.writeUInt32LE(0xffff_ffff, 4);
      wave.writeUInt32LE(0xffff_ffff, wave.indexOf("data") + 4);
      response.setHeader("content-type", "audio/wav").end(wave);
    };
    expect((await speaker().speak(REQUEST)).samples).toEqual(whole.samples);
    answer = async (response, { body }) => {
      const wave = await spokenWave(body.input, 1);
      response.setHeader("content-type", "audio/pcm;rate=22050").end(wave.subarray(wave.indexOf("data") + 8));
    };
    expect(await speaker().speak(REQUEST)).toEqual({ samples: whole.samples, sampleRate: 22_050 });
    answer = (response) =>
      response.setHeader("content-type", "application/octet-stream").end(Buffer.alloc(48_000, 0x22)) && undefined;
    expect(spokenSeconds(await speaker().speak(REQUEST))).toBeCloseTo(1, 2);
  });

  test("takes a sound by its bytes: whole where the header states its first piece alone, or each piece is a file", async () => {
    const { samples } = await speaker().speak(REQUEST);
    const inPieces =
      (pieceOf: (data: Buffer, header: Buffer, index: number) => Buffer): Answer =>
      async (response, { body }) => {
        const wave = await spokenWave(body.input, 1);
        const begins = wave.indexOf("data") + 8;
        const [header, data] = [wave.subarray(0, begins), wave.subarray(begins)];
        const step = 2 * Math.floor(data.length / 8);
        const pieces = [];
        for (let at = 0, index = 0; at < data.length; at += step, index++) {
          const first = Buffer.from(header);
          first.writeUInt32LE(step, begins - 4);
          pieces.push(pieceOf(data.subarray(at, at + step), first, index));
        }
        response.setHeader("content-type", "audio/wav").end(Buffer.concat(pieces));
      };
    answer = inPieces((data, header, index) => (index === 0 ? Buffer.concat([header, data]) : data));
    expect((await speaker().speak(REQUEST)).samples).toEqual(samples);
    answer = inPieces((data, header) => {
      const own = Buffer.from(header);
      own.writeUInt32LE(data.length, own.length - 4);
      return Buffer.concat([own, data]);
    });
    expect((await speaker().speak(REQUEST)).samples).toEqual(samples);
  });

  test("leaves what stands behind the samples of a WAV out of its sound", async () => {
    const { samples } = await speaker().speak(REQUEST);
    const list = Buffer.from("LIST\u0010\0\0\0INFOISFT\u0004\0\0\0Lavf", "latin1");
    answer = async (response, { body }) =>
      void response.setHeader("content-type", "audio/wav").end(Buffer.concat([await spokenWave(body.input, 1), list]));
    expect((await speaker().speak(REQUEST)).samples).toEqual(samples);
  });

  test("is not asked at all where the book of the job has reached its limit: that is said, once", async () => {
    answer = (response) =>
      response.writeHead(402, { [LEDGER_HEADER]: "ceiling" }).end("The limit is reached.") && undefined;
    const before = asked.length;
    const refused = { code: "cost_limit_reached", message: "The limit is reached." };
    await expect(speaker().speak(REQUEST)).rejects.toMatchObject(refused);
    expect(asked.length - before).toBe(1);
  });

  test("takes other sounds than WAV, whatever they are called, and asks for one where WAV is refused", async () => {
    const sound = await readFile(await shortAac());
    answer = (response) => void response.setHeader("content-type", "audio/wav").end(sound);
    expect(spokenSeconds(await speaker().speak(REQUEST))).toBeGreaterThan(0.5);
    answer = (response, { body }) => {
      if (body.response_format === "mp3") response.setHeader("content-type", "audio/mpeg").end(sound);
      else response.writeHead(400).end('{"detail":"Unsupported response_format: wav. Only mp3 is supported."}');
    };
    const voice = speaker();
    asked.length = 0;
    expect(spokenSeconds(await voice.speak(REQUEST))).toBeGreaterThan(0.5);
    await voice.speak(REQUEST);
    expect(asked.map(({ body }) => body.response_format)).toEqual(["wav", "mp3", "mp3"]);
  });

  test("gives no samples of a sound in which nothing is heard", async () => {
    const { length } = await spokenWave("A door.", 1);
    for (const noise of [0, 4]) {
      answer = async (response) => {
        const wave = await spokenWave("A door.", 1);
        for (let at = wave.indexOf("data") + 8; at + 1 < length; at += 2)
          wave.writeInt16LE(at % 8 < 4 ? noise : -noise, at);
        response.setHeader("content-type", "audio/wav").end(wave);
      };
      expect((await speaker().speak(REQUEST)).samples).toHaveLength(0);
    }
  });

  test.each([
    ["is busy", 503, 1],
    // Longer than a fault is borne with: a limit of requests passes by itself.
    ["says “later” five times", 429, 5],
  ])("tries again when the server %s", async (_, status, times) => {
    let tries = 0;
    answer = (response, seen) => {
      tries += 1;
      if (tries <= times) response.writeHead(status, { "retry-after-ms": "1" }).end();
      else return speakWave(response, seen);
    };
    expect(spokenSeconds(await speaker().speak(REQUEST))).toBeGreaterThan(1);
    expect(tries).toBe(times + 1);
  });

  test("tries again when the sound breaks off, and never plays half of it", async () => {
    const whole = await speaker().speak(REQUEST);
    asked.length = 0;
    answer = async (response, seen) => {
      const wave = await spokenWave(seen.body.input, 1);
      response.setHeader("content-type", "audio/wav");
      if (asked.length > 1) response.end(wave);
      else response.write(wave.subarray(0, wave.length / 2), () => response.destroy());
    };
    expect(await speaker().speak(REQUEST)).toEqual(whole);
    expect(asked).toHaveLength(2);
  });

  thoroughTest(
    "gives up on a server that never answers, stops in the middle, breaks off, or sends without end",
    async () => {
      answer = (response, { body: { input } }) => {
        if (input.startsWith("Break")) response.destroy();
        else if (input.startsWith("Half")) response.setHeader("content-type", "audio/wav").write("RIFF");
      };
      const speaks = (text: string, seconds: number) => speaker(seconds).speak({ ...REQUEST, text });
      const late = { code: "speech_unreachable", message: expect.stringContaining("no answer within 0.05 s") };
      await Promise.all([
        expect(speaks("Nothing.", 0.05)).rejects.toMatchObject(late),
        expect(speaks("Half a line.", 0.05)).rejects.toMatchObject(late),
        expect(speaks("Break.", 20)).rejects.toMatchObject({
          message: expect.stringContaining("could not be reached"),
        }),
      ]);
      expect(asked).toHaveLength(9);
      answer = (response) => {
        const chunk = Buffer.alloc(2 ** 20);
        const send = () => {
          while (response.write(chunk));
        };
        response.setHeader("content-type", "audio/wav").on("drain", send);
        send();
      };
      await expect(speaker().speak(REQUEST)).rejects.toThrow(SpeechError);
    },
  );

  test("stops waiting at once when cancelled", async () => {
    const cancel = new AbortController();
    const reason = new Error("cancelled");
    answer = () => cancel.abort(reason);
    await expect(speaker().speak(REQUEST, cancel.signal)).rejects.toBe(reason);
  });
});
