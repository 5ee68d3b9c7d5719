import { describe, expect, test } from "vitest";
import type { Editor } from "../../src/host/editor.ts";
import { HeldPorts } from "../panel/held-ports.ts";
import { TextFiles } from "../panel/session-in-memory.ts";

import { deskOf } from "./service-desk.ts";

/** What is used of the page's part; it is of a browser, whose types these tests do without. */
interface FilmEditorModule {
  readonly FilmEditor: new (
    parts: object,
  ) => Editor & {
    load(): Promise<void>;
    open(mediaId: string): Promise<void>;
    takeUp(mediaId: string): Promise<void>;
    choose(file: object, signal: AbortSignal, onProgress: (fraction: number) => void): Promise<void>;
    sentMedia(id: string): Promise<{ readonly exported: object; readonly media: object } | null>;
  };
}
const { FilmEditor }: FilmEditorModule = await import(String(new URL("../../page/film-editor.ts", import.meta.url)));

const CURRENT = "kept/film.json";

describe("the film of the page", () => {
  /** What choosing a film takes, all of it slow. */
  function filmEditor(files = new TextFiles(), more: { readonly client?: object } = {}) {
    const { desk, asked } = deskOf();
    const ports = new HeldPorts();
    const films = new Map<string, unknown>();
    const moved: number[] = [];
    const kept = ports.wrap(files);
    const parts = {
      desk: ports.wrap(desk),
      files: Object.assign(Object.create(kept), {
        size: (path: string) => kept.size(path),
        readText: (path: string) => kept.readText(path),
        writeText: (path: string, text: string) => kept.writeText(path, text),
        addFilm: (path: string, film: unknown) => void films.set(path, film),
      }),
      playhead: { time: 12.5, seek: (seconds: number) => void moved.push(seconds) },
      clock: { now: () => 0, sleep: async () => undefined },
      transfer: {
        upload: async (request: { readonly onProgress?: (progress: object) => void }) => {
          request.onProgress?.({ doneBytes: 500, totalBytes: 1000 });
          return { status: 200, headers: {}, body: "" };
        },
      },
      client: {
        requestSignedUpload: async () => ({
          mediaId: "sent",
          storagePath: "s",
          signedUrl: "https://s.example",
          headers: {},
        }),
        notifyUploadComplete: async () => undefined,
        getUploadStatus: async () => ({ outcome: "ready", mediaId: "m9", durationSeconds: 60, frameRate: 24 }),
        ...more.client,
      },
    };
    return { editor: new FilmEditor(parts), ports, asked, films, moved, files };
  }

  test("is what the service says of it; it is there the next time as soon as it is said to be taken up", async () => {
    const { editor, ports, asked, files } = filmEditor();
    const heard: string[] = [];
    let others = 0;
    const ends = editor.watch(() => void heard.push([...files.texts.keys()].join()));
    editor.watch(() => {
      others += 1;
    });
    expect(await ports.settlesLast(() => editor.takeUp("m1"))).toBeNull();
    // Told once it is kept, to whoever watches; asked again only for another one.
    expect([heard, others]).toEqual([[CURRENT], 1]);
    await ports.settlesLast(() => editor.takeUp("m1"));
    expect(asked).toEqual(["media m1"]);
    const film = { id: "m1", name: "m1", durationSeconds: 60, startFrame: 0, isDropFrame: false };
    expect(await editor.readSequence()).toMatchObject({ ...film, rate: { numerator: 24 } });
    expect(await editor.readTimeline()).toMatchObject({ name: "m1", tracks: [], markers: [] });
    const again = filmEditor(files);
    await again.ports.settlesLast(() => again.editor.load());
    expect(await again.editor.readSequence()).toEqual(await editor.readSequence());
    expect(again.asked).toEqual([]);
    ends();
    await ports.settlesLast(() => editor.takeUp("m2"));
    expect(heard).toEqual([CURRENT]);
    const full = filmEditor();
    expect(await full.ports.settlesLast(() => full.editor.takeUp("m1"), 1)).toBeInstanceOf(Error);
  });

  test("is opened for a reviewer without being kept; runs of it begin with what the service has, and of no other", async () => {
    const { editor, ports, files } = filmEditor();
    await ports.settlesLast(() => editor.load());
    await expect(editor.readSequence()).rejects.toMatchObject({ code: "no_sequence" });
    await expect(editor.exportSequence({} as never, {} as never)).rejects.toMatchObject({ code: "no_sequence" });
    expect(await editor.sentMedia("m1")).toBeNull();
    await ports.settlesLast(() => editor.open("m1"));
    expect([files.texts.size, await editor.sentMedia("m2")]).toEqual([0, null]);
    const exported = { path: "films/m1", sizeBytes: 1000, durationSeconds: 60, contentType: "video/mp4" };
    expect(await editor.sentMedia("m1")).toMatchObject({ exported, media: { mediaId: "m1", isVerified: true } });
    expect(await editor.exportSequence({} as never, {} as never)).toMatchObject(exported);
  });

  test("is sent, checked and kept before it is said to be there; whatever of that fails is told", async () => {
    const file = { name: "harbour.mp4", size: 1000, type: "" };
    const choose = async (made: ReturnType<typeof filmEditor>, failing?: number) => {
      const shares: number[] = [];
      const signal = new AbortController().signal;
      const work = () => made.editor.choose(file, signal, (share) => void shares.push(share));
      return { error: await made.ports.settlesLast(work, failing), shares };
    };
    const made = filmEditor();
    expect(await choose(made)).toEqual({ error: null, shares: [0.5] });
    expect([...made.films.keys()]).toEqual(["films/harbour.mp4", "films/m9"]);
    expect([made.asked, JSON.parse(made.files.texts.get(CURRENT) ?? "").mediaId]).toEqual([["media m9"], "m9"]);
    for (let index = 0; index < made.ports.calls.length; index++) {
      expect((await choose(filmEditor(), index)).error).toBeInstanceOf(Error);
    }
    const getUploadStatus = async () => ({ outcome: "failed", code: "unreadable", message: "No film." });
    const bad = filmEditor(undefined, { client: { getUploadStatus } });
    expect((await choose(bad)).error).toMatchObject({ code: "upload_failed", message: "No film." });
    expect(bad.files.texts.size).toBe(0);
  });

  test.each([
    ["", "application/octet-stream"],
    ["video/mp4", "video/mp4"],
  ])("is sent as what the browser takes it for: %j as %s", async (type, sent) => {
    const asked: unknown[] = [];
    const requestSignedUpload = async (...given: readonly unknown[]) => {
      asked.push(...given);
      return { mediaId: "sent", storagePath: "s", signedUrl: "https://s.example", headers: {} };
    };
    const { editor, ports } = filmEditor(undefined, { client: { requestSignedUpload } });
    const signal = new AbortController().signal;
    const file = { name: "harbour.mp4", size: 1000, type };
    await ports.settlesLast(() => editor.choose(file, signal, () => undefined));
    expect(JSON.stringify(asked)).toContain(sent);
    expect(JSON.stringify(asked)).toContain("harbour.mp4");
  });

  test("has no timeline: the playhead is that of the player, and what would place is refused", async () => {
    const { editor, moved } = filmEditor();
    await editor.movePlayhead("m1", 3.25);
    expect([await editor.playhead("m1"), moved]).toEqual([12.5, [3.25]]);
    await expect(editor.apply({} as never, {} as never)).rejects.toMatchObject({ code: "apply_failed" });
  });
});
