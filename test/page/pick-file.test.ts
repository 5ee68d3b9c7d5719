import { describe, expect, test } from "vitest";
import { turns } from "../fakes/set-clock.ts";
import { HeldPorts } from "../panel/held-ports.ts";
import { madeBrowser } from "./made-browser.ts";

/** What is used of the page's part; it is of a browser, whose types these tests do without. */
interface PickModule {
  pickFile(accept: string): Promise<object | null>;
  pickFileOf(files: object, types: readonly string[]): Promise<{ readonly name: string; readonly path: string } | null>;
  pickFilesOf(files: object, types: readonly string[]): Promise<{ readonly name: string; readonly path: string }[]>;
  saveAddress(address: string, name?: string): void;
  saveBlob(blob: Blob, name: string): void;
  saveFolder(files: object, folder: string): Promise<void>;
  readonly BlobPlayer: new (files: object) => { play(path: string): Promise<void>; stop(): void };
}

const browser = madeBrowser();
const pick: PickModule = await import(String(new URL("../../page/pick-file.ts", import.meta.url)));

describe("files of the person", () => {
  const fieldOf = () => browser.made.find(({ name }) => name === "input");

  test("are picked by their endings, all of them, and read where they are; whoever picks none gets none", async () => {
    const films = new Map<string, unknown>();
    const files = { addFilm: (path: string, file: unknown) => void films.set(path, file) };
    const picked = pick.pickFileOf(files, ["srt", "vtt", "txt"]);
    const field = fieldOf();
    expect([field?.accept, field?.done]).toEqual([".srt,.vtt,.txt", ["clicked"]]);
    const file = { name: "a.srt" };
    if (field !== undefined) field.files = [file];
    field?.happens("change");
    expect([await picked, films.get("films/a.srt")]).toEqual([{ name: "a.srt", path: "films/a.srt" }, file]);
    browser.made = [];
    const none = pick.pickFileOf(files, ["srt"]);
    fieldOf()?.happens("cancel");
    expect([await none, films.size]).toEqual([null, 1]);
  });

  test("are picked as many as somebody likes where several are asked for, and only there", async () => {
    const films = new Map<string, unknown>();
    const files = { addFilm: (path: string, file: unknown) => void films.set(path, file) };
    void pick.pickFileOf(files, ["srt"]);
    expect(fieldOf()?.multiple).toBe(false);
    browser.made = [];
    const several = pick.pickFilesOf(files, ["onnx", "zip"]);
    const field = fieldOf();
    expect([field?.accept, field?.multiple]).toEqual([".onnx,.zip", true]);
    if (field !== undefined) field.files = [{ name: "a.onnx" }, { name: "b.zip" }];
    field?.happens("change");
    expect(await several).toEqual(["a.onnx", "b.zip"].map((name) => ({ name, path: `films/${name}` })));
    expect([...films.keys()]).toEqual(["films/a.onnx", "films/b.zip"]);
    browser.made = [];
    const none = pick.pickFilesOf(files, ["zip"]);
    fieldOf()?.happens("cancel");
    expect(await none).toEqual([]);
  });

  test("are saved under their name by a link that goes again, and let go of when the browser has read them for sure", async () => {
    pick.saveBlob(new Blob(["x"]), "words.srt");
    const [link] = browser.made;
    expect([link?.download, link?.done, browser.body.children]).toEqual(["words.srt", ["clicked", "removed"], []]);
    await browser.clock.pass(59_999);
    expect(browser.revoked).toEqual([]);
    await browser.clock.pass(1);
    expect(browser.revoked).toEqual([link?.href]);
  });

  test("at an address are saved under the name that comes with it", () => {
    pick.saveAddress("https://s.example/a");
    const [link] = browser.made;
    expect(link).toMatchObject({ name: "a", href: "https://s.example/a", download: "", done: ["clicked", "removed"] });
  });

  test("of a folder are saved each, all by the time that it is said, but for one that is gone", async () => {
    const ports = new HeldPorts();
    const files = ports.wrap({
      list: async () => ["a.srt", "gone.wav", "b.vtt"],
      blobOf: async (path: string) => (path.includes("gone") ? null : new Blob([path])),
    });
    expect(await ports.settlesLast(() => pick.saveFolder(files, "to-save"))).toBeNull();
    expect(browser.made.map(({ download, done }) => [download, done])).toEqual(
      ["a.srt", "b.vtt"].map((name) => [name, ["clicked", "removed"]]),
    );
    const texts = await Promise.all(browser.made.map(({ href }) => browser.blobs.get(String(href))?.text()));
    expect(texts).toEqual(["to-save/a.srt", "to-save/b.vtt"]);
  });

  test("are played one at a time: the next ends the one before, and every end lets go of the sound", async () => {
    const files = { blobOf: async (path: string) => (path === "gone" ? null : new Blob([path])) };
    const sounds = new pick.BlobPlayer(files);
    const ended: string[] = [];
    const play = (path: string) => sounds.play(path).then(() => void ended.push(path), ({ code }) => void ended.push(`${path} ${code}`)); // biome-ignore format: one line
    void play("a");
    await turns();
    void play("b");
    await turns();
    const [first, second] = browser.made.filter(({ name }) => name === "audio");
    expect([ended, first?.paused, second?.paused, browser.revoked.length]).toEqual([["a"], true, false, 1]);
    second?.happens("ended");
    await turns();
    expect(ended).toEqual(["a", "b"]);
    await play("gone");
    void play("c");
    await turns();
    browser.made
      .filter(({ name }) => name === "audio")
      .at(-1)
      ?.happens("error");
    await turns();
    void play("d");
    await turns();
    sounds.stop();
    await turns();
    expect(ended).toEqual(["a", "b", "gone host_failed", "c host_failed", "d"]);
    expect(browser.revoked).toHaveLength(browser.addresses.length);
  });
});

describe("a sound that is still being read", () => {
  /** A player whose sounds come as the test lets them, and what was played to its end. */
  function slowPlayer() {
    const reads: (() => void)[] = [];
    const blobOf = async (path: string) => {
      await new Promise<void>((read) => reads.push(read));
      return new Blob([path]);
    };
    const sounds = new pick.BlobPlayer({ blobOf });
    const ended: string[] = [];
    const play = (path: string) => void sounds.play(path).then(() => ended.push(path));
    return { reads, sounds, ended, play };
  }
  const heard = () => browser.made.filter(({ name, paused }) => name === "audio" && !paused).length;

  test.each([[[0, 1]], [[1, 0]]])("gives way to the next: one alone is heard, read in the order %j", async (order) => {
    const { reads, sounds, ended, play } = slowPlayer();
    for (const path of ["a", "b"]) play(path);
    for (const index of order) {
      reads[index]?.();
      await turns();
    }
    expect([heard(), ended]).toEqual([1, ["a"]]);
    sounds.stop();
    await turns();
    expect([heard(), ended, browser.revoked.length]).toEqual([0, ["a", "b"], browser.addresses.length]);
  });

  test("is not heard once it was stopped", async () => {
    const { reads, sounds, ended, play } = slowPlayer();
    play("a");
    sounds.stop();
    reads[0]?.();
    await turns();
    expect([heard(), ended, browser.addresses]).toEqual([0, ["a"], []]);
  });
});
