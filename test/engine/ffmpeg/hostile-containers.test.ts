import { readFileSync, writeFileSync } from "node:fs";
import { copyFile, readFile, rename, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeSound } from "../../../src/engine/ffmpeg/decode/decode-sound.ts";
import { MediaProcessError } from "../../../src/engine/ffmpeg/open.ts";
import { probeMedia } from "../../../src/engine/ffmpeg/probe/probe.ts";
import { plainJpeg } from "../../../src/engine/models/picture-count.ts";
import { makeMedia } from "../../made-media.ts";
import { form, startTestService, type TestService } from "../../service/service-fixture.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { element, matroskaOf } from "../dialogue/matroska.ts";

/** Seconds of what the hostile files name, and of what they hold themselves. */
const SECRET_SECONDS = 7;
const OWN_SECONDS = 2;

let folder = "";
let port = 0;
let server: Server;
let connections = 0;
let service: TestService;

/** Loud and bright: whoever reads it shows it. */
function makeSecret(path: string): void {
  makeMedia(path, [
    { graph: `testsrc2=size=64x48:rate=25:duration=${SECRET_SECONDS}`, codec: "mpeg4" },
    { graph: `sine=frequency=1000:duration=${SECRET_SECONDS},volume=6`, codec: "pcm_s16le" },
  ]);
}

/** Black and silent. */
function makeOwn(path: string): void {
  makeMedia(path, [
    { graph: `color=black:size=64x48:rate=25:duration=${OWN_SECONDS}`, codec: "mpeg4" },
    { graph: `anullsrc=r=48000:cl=mono,atrim=duration=${OWN_SECONDS}`, codec: "pcm_s16le" },
  ]);
}

beforeAll(async () => {
  folder = await temporaryFolder();
  makeSecret(join(folder, "secret.mov"));
  makeSecret(join(folder, "secret.mkv"));
  makeMedia(join(folder, "secret.ts"), [
    { graph: `testsrc2=size=64x48:rate=25:duration=${SECRET_SECONDS}`, codec: "mpeg2video" },
  ]);
  await writeFile(join(folder, "secret.txt"), "the secret itself");
  for (const name of ["frame001.jpg", "frame002.jpg"]) await writeFile(join(folder, name), plainJpeg([180, 128, 128]));
  server = createServer((socket) => {
    connections += 1;
    socket.on("error", () => undefined).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
  service = await startTestService();
});
afterAll(async () => {
  await service.close();
  server.close();
});

/** What a file that names others looks like: text that FFmpeg would know by its first bytes, whatever its name. */
function texts(): Readonly<Record<string, string>> {
  const secret = join(folder, "secret.mov");
  const web = `http://127.0.0.1:${port}/a.ts`;
  const hls = (...lines: string[]) => ["#EXTM3U", "#EXT-X-TARGETDURATION:7", ...lines, "#EXT-X-ENDLIST"].join("\n");
  const dash = (base: string, more = "") =>
    `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static" mediaPresentationDuration="PT7S">
<Period><AdaptationSet contentType="video" mimeType="video/mp4"><Representation id="1" bandwidth="1000" codecs="mp4v.20" width="64" height="48">
<BaseURL>${base}</BaseURL>${more}<SegmentBase indexRange="0-100"/></Representation></AdaptationSet></Period></MPD>`;
  return {
    "an HLS playlist of a file beside it": hls("#EXTINF:7,", "secret.ts"),
    "an HLS playlist of an absolute path": hls("#EXTINF:7,", join(folder, "secret.ts")),
    "an HLS playlist of a file address": hls("#EXTINF:7,", `file://${join(folder, "secret.ts")}`),
    "an HLS playlist of a web address": hls("#EXTINF:7,", web),
    "an HLS playlist of data": hls("#EXTINF:7,", "data:video/mp2t;base64,R0AREAAAsA0AAcEAAAAB8AAqsQSy"),
    "an HLS playlist of joined files": hls("#EXTINF:7,", `concat:${join(folder, "secret.ts")}|${web}`),
    "an HLS playlist with a key from the web": hls(`#EXT-X-KEY:METHOD=AES-128,URI="${web}"`, "#EXTINF:7,", "secret.ts"),
    "an HLS master playlist": [
      "#EXTM3U",
      "#EXT-X-STREAM-INF:BANDWIDTH=1000",
      `http://127.0.0.1:${port}/a.m3u8`,
      "",
    ].join("\n"),
    "a concat script": `ffconcat version 1.0\nfile ${secret}\n`,
    "a concat script of a web address": `ffconcat version 1.0\nfile ${web}\n`,
    "a concat script with options": `ffconcat version 1.0\nfile secret.mov\noption safe 0\noption protocol_whitelist file,http,tcp\n`,
    "a DASH manifest of a file": dash("secret.mov"),
    "a DASH manifest of a web address": dash(web),
    "a DASH manifest with an entity": dash("secret.mov").replace(
      '<?xml version="1.0"?>',
      `<?xml version="1.0"?><!DOCTYPE MPD [<!ENTITY x SYSTEM "file://${join(folder, "secret.txt")}">]>`,
    ),
    "a session description": `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${port} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
    "an RTSP redirect": `RTSPtextRTSP://127.0.0.1:${port}/a\n`,
    "a VobSub index": "# VobSub index file, v7 (do not modify this line!)\nsize: 720x576\nid: en, index: 0\n",
    "SubRip subtitles": "1\n00:00:00,000 --> 00:00:07,000\n{\\an8}<img src='secret.txt'>\n",
    "SubStation Alpha": "[Script Info]\nScriptType: v4.00+\nVideo File: secret.mov\n[Events]\n",
    "an AviSynth script": `AviSource("${secret}")\n`,
    "a composition playlist of IMF": `<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2013"><Id>urn:uuid:0</Id></CompositionPlaylist>`,
    "FFmpeg's own metadata": ";FFMETADATA1\ntitle=x\n",
    "a list of addresses": `[playlist]\nFile1=${web}\n`,
    "an ASX list": `<asx version="3.0"><entry><ref href="${web}"/></entry></asx>`,
    SMIL: `<smil><body><video src="${web}"/></body></smil>`,
  };
}

test("a file that names others is refused, whatever its name: nothing is read beside it, nobody is asked", async () => {
  const endings = ["mp4", "m3u8", "ffconcat", "mpd", "sdp", "idx", "srt", "avs", "txt"];
  for (const [what, text] of Object.entries(texts())) {
    for (const ending of endings) {
      const path = join(folder, `hostile.${ending}`);
      await writeFile(path, text);
      await writeFile(join(folder, "hostile.sub"), readFileSync(join(folder, "secret.mov")));
      const error = await probeMedia(path).catch((reason: unknown) => reason);
      expect(error, `${what} as .${ending}`).toBeInstanceOf(MediaProcessError);
      expect(error).toMatchObject({ code: "media_unreadable" });
    }
  }
  expect(connections).toBe(0);
});

test("as an upload it is refused as any file that is no video", async () => {
  for (const [what, text] of Object.entries(texts())) {
    const { status, body } = await service.send("POST", "upload_media", form(Buffer.from(text), {}, "clip.mp4"));
    expect(status, what).toBe(415);
    expect(JSON.stringify(body)).toContain("no_video_stream");
    expect(JSON.stringify(body)).not.toContain("secret");
  }
  expect(connections).toBe(0);
}, 120_000);

describe("a container that could name a second file", () => {
  /** All that is decoded is silence, as long as the file itself. */
  async function expectItsOwn(path: string): Promise<void> {
    const { durationSeconds } = await probeMedia(path);
    expect(durationSeconds ?? 0).toBeLessThan(OWN_SECONDS + 1);
    for await (const planes of decodeSound(path, { sampleRate: 48_000, durationSeconds: SECRET_SECONDS })) {
      for (const plane of planes) expect(plane.every((sample) => Math.abs(sample) < 0.001)).toBe(true);
    }
    expect(connections).toBe(0);
  }

  test.each([
    ["an address", () => urlReference(`file://${join(folder, "secret.mov")}`)],
    ["a web address", () => urlReference(`http://127.0.0.1:${port}/secret.mov`)],
    ["an alias", () => aliasReference("secret.mov")],
  ])("QuickTime with its media elsewhere, by %s", async (_, reference) => {
    const path = join(folder, "reference.mov");
    makeOwn(path);
    writeFileSync(path, withReference(readFileSync(path), reference()));
    const read = await probeMedia(path).then(
      () => true,
      () => false,
    );
    // Where FFmpeg leaves such a stream out, there may be nothing left to decode.
    if (read) await expectItsOwn(path);
    expect(connections).toBe(0);
  });

  test("a reference movie of QuickTime", async () => {
    const path = join(folder, "movie.mov");
    const address = Buffer.from(`${join(folder, "secret.mov")}\0`);
    const rdrf = box("rdrf", Buffer.concat([Buffer.alloc(4), Buffer.from("url "), size(address.length), address]));
    await writeFile(path, box("moov", box("rmra", box("rmda", rdrf))));
    await expect(probeMedia(path)).rejects.toMatchObject({ code: "media_unreadable" });
  });

  test("Matroska with linked segments", async () => {
    const secret = await readFile(join(folder, "secret.mkv"));
    const at = secret.indexOf(Buffer.from([0x73, 0xa4]));
    const identity = at < 0 ? Buffer.alloc(16, 7) : secret.subarray(at + 3, at + 19);
    const linked = matroskaOf(
      [{ codec: "S_TEXT/UTF8", language: "eng", entries: [[0, 1000, "own"]] }],
      [
        element(0x3cb923, identity),
        element(0x3eb923, identity),
        element(0x3c83ab, "secret.mkv"),
        element(0x3e83bb, "secret.mkv"),
      ],
    );
    const path = join(folder, "linked.mkv");
    await writeFile(path, linked);
    const { picture, sound, durationSeconds } = await probeMedia(path);
    expect([picture, sound, durationSeconds]).toEqual([null, null, null]);
  });

  test("AVI with an OpenDML index that leads out of the file", async () => {
    const path = join(folder, "index.avi");
    makeOwn(path);
    const bytes = readFileSync(path);
    const at = bytes.indexOf("JUNK");
    const entry = Buffer.alloc(16 + 24);
    entry.writeUInt16LE(4, 0);
    entry.writeUInt32LE(1, 4);
    entry.write("00dc", 8, "latin1");
    entry.writeBigUInt64LE(2n ** 40n, 24);
    entry.writeUInt32LE(0x7fff_ffff, 32);
    entry.writeUInt32LE(1_000, 36);
    bytes.write("indx", at, "latin1");
    entry.copy(bytes, at + 8);
    writeFileSync(path, bytes);
    await expectItsOwn(path);
  });

  test("MXF whose locator names another file", async () => {
    const path = join(folder, "locator.mxf");
    makeMedia(path, [
      { graph: `color=black:size=720x576:rate=25:duration=${OWN_SECONDS}`, codec: "mpeg2video" },
      { graph: `anullsrc=r=48000:cl=mono,atrim=duration=${OWN_SECONDS}`, codec: "pcm_s16le" },
    ]);
    const own = readFileSync(path);
    // A network locator (SMPTE ST 377-1, B.3) in place of the fill before the essence.
    const text = Buffer.from(`file://${join(folder, "secret.mov")}`, "utf16le").swap16();
    const set = Buffer.concat([Buffer.from([0x40, 0x01]), Buffer.from([text.length >> 8, text.length & 255]), text]);
    const key = Buffer.from("060e2b34025301010d01010101013200", "hex");
    const fill = own.indexOf(Buffer.from("060e2b34010101020301021001000000", "hex"));
    expect(fill).toBeGreaterThan(0);
    Buffer.concat([key, Buffer.from([0x83, 0, 0, set.length]), set]).copy(own, fill);
    writeFileSync(path, own);
    const read = await probeMedia(path).then(
      () => true,
      () => false,
    );
    if (read) await expectItsOwn(path);
    expect(connections).toBe(0);
  });
});

describe("a name that FFmpeg would take for more than a name", () => {
  test("is that of a file and nothing else", async () => {
    const own = join(folder, "own.mov");
    makeOwn(own);
    for (const name of [
      "-i.mov",
      "concat:secret.mov",
      "file:secret.mov",
      "data:,x",
      "pipe:0",
      "frame%03d.mov",
      "*.mov",
    ]) {
      const path = join(folder, name);
      await copyFile(own, path);
      expect((await probeMedia(path)).durationSeconds, name).toBeCloseTo(OWN_SECONDS, 1);
      await rename(path, join(folder, "done"));
    }
  });

  test("is no sequence of pictures and no protocol", async () => {
    const names = [join(folder, "frame%03d.jpg"), join(folder, "frame*.jpg")];
    for (const path of names) await expect(probeMedia(path)).rejects.toMatchObject({ code: "media_unreadable" });
    const secret = join(folder, "secret.mov");
    for (const path of [
      `concat:${secret}`,
      `file:${secret}`,
      `subfile,,start,0,end,0,,:${secret}`,
      `crypto:${secret}`,
      `http://127.0.0.1:${port}/a.mp4`,
      "data:video/mp4;base64,AAAA",
      "pipe:0",
      "fd:0",
    ]) {
      await expect(probeMedia(path), path).rejects.toBeInstanceOf(MediaProcessError);
    }
    expect(connections).toBe(0);
  });
});

function size(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function box(type: string, body: Buffer): Buffer {
  return Buffer.concat([size(body.length + 8), Buffer.from(type, "latin1"), body]);
}

/** A data reference that says "elsewhere": the flag for "in this file" is not set. */
function urlReference(address: string): Buffer {
  return box("url ", Buffer.concat([Buffer.alloc(4), Buffer.from(`${address}\0`)]));
}

/** A Macintosh alias (Inside Macintosh: Files) as FFmpeg reads it, of a file in the same folder. */
function aliasReference(file: string): Buffer {
  const head = Buffer.alloc(146);
  head.writeUInt8(1, 10);
  head.write("v", 11, "latin1");
  head.writeUInt8(file.length, 50);
  head.write(file, 51, "latin1");
  head.writeInt16BE(1, 130);
  head.writeInt16BE(1, 132);
  const path = Buffer.from(`v:${file}${file.length % 2 === 0 ? "" : "\0"}`, "latin1");
  const record = Buffer.concat([Buffer.from([0, 2, 0, path.length]), path, Buffer.from([0xff, 0xff, 0, 0])]);
  return box("alis", Buffer.concat([Buffer.alloc(4), head, record]));
}

/** A movie whose index stands at its end, with another data reference for each of its tracks. */
function withReference(movie: Buffer, reference: Buffer): Buffer {
  const containers = new Set(["moov", "trak", "mdia", "minf", "dinf"]);
  const rewrite = (bytes: Buffer): Buffer => {
    const parts: Buffer[] = [];
    for (let at = 0; at + 8 <= bytes.length; ) {
      const length = bytes.readUInt32BE(at);
      const type = bytes.toString("latin1", at + 4, at + 8);
      const whole = bytes.subarray(at, at + Math.max(8, length));
      if (type === "dref") parts.push(box("dref", Buffer.concat([Buffer.alloc(4), size(1), reference])));
      else parts.push(containers.has(type) ? box(type, rewrite(whole.subarray(8))) : whole);
      at += whole.length;
    }
    return Buffer.concat(parts);
  };
  return rewrite(movie);
}
