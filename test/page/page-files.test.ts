import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Library } from "../../panel/session/library.ts";
import type { Files } from "../../src/host/files.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { turns } from "../fakes/set-clock.ts";
import { HeldPorts } from "../panel/held-ports.ts";

/** What is used of the page's files; they are of a browser, whose types these tests do without. */
interface PageFilesModule {
  readonly PageFiles: {
    open(
      desk: unknown,
      session: { readonly team: string; readonly review?: { readonly run_id: string } },
    ): Promise<Files & { addFilm(path: string, file: Blob): void; blobOf(path: string): Promise<Blob | null> }>;
  };
}
const { PageFiles }: PageFilesModule = await import(String(new URL("../../page/page-files.ts", import.meta.url)));

/** The service's side, whose answers can be held or refused. */
class FakeDesk {
  readonly texts_ = new Map<string, string>();
  readonly asked: string[] = [];
  mayKeep: () => Promise<void> = async () => undefined;

  async texts(): Promise<string[]> {
    return [...this.texts_.keys()];
  }
  async readText(path: string): Promise<string> {
    this.asked.push(`read ${path}`);
    return this.texts_.get(path) ?? "";
  }
  async keepText(path: string, text: string): Promise<void> {
    this.asked.push(`keep ${path}`);
    await this.mayKeep();
    this.texts_.set(path, text);
  }
  async removeText(path: string): Promise<void> {
    this.texts_.delete(path);
  }
}

/** A browser's storage. */
class FakeStorage {
  [name: string]: unknown;
}

let desk: FakeDesk;
let stored: Map<string, string>;
let isFull: boolean;
beforeEach(() => {
  desk = new FakeDesk();
  stored = new Map();
  isFull = false;
  // As the browser's: its names are its own members.
  const storage = new Proxy(new FakeStorage(), {
    get: (_, name) => {
      if (name === "getItem") return (key: string) => stored.get(key) ?? null;
      if (name === "removeItem") return (key: string) => void stored.delete(key);
      if (name !== "setItem") return undefined;
      return (key: string, value: string) => {
        if (isFull) throw new DOMException("full", "QuotaExceededError");
        stored.set(key, value);
      };
    },
    ownKeys: () => [...stored.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("navigator", {});
  onTestFinished(() => void vi.unstubAllGlobals());
});

const PATH = "kept/results/a.result.json";
const open = (session = { team: "north" }) => PageFiles.open(desk, session);
const libraryOver = (files: Files) =>
  new Library({
    files,
    folders: async () => ({
      path: "kept",
      exportsPath: "kept/exports",
      resultsPath: "kept/results",
      runsPath: "kept/runs",
    }),
    pathIn: (folder, name) => `${folder}/${name}`,
  });
const held = () => {
  const goes: PromiseWithResolvers<void>[] = [];
  desk.mayKeep = () => {
    const one = Promise.withResolvers<void>();
    goes.push(one);
    return one.promise;
  };
  return goes;
};
/** The page as it is loaded anew: what was under way is gone. */
async function reload() {
  desk.mayKeep = async () => undefined;
  return open();
}

describe("what is written on the page", () => {
  test("is in the browser until the service has it, and no longer", async () => {
    const files = await open();
    const goes = held();
    const writing = files.writeText(PATH, "words");
    expect([...stored.values()]).toEqual(["words"]);
    goes[0]?.resolve();
    await writing;
    expect([stored.size, desk.texts_.get(PATH), await files.readText(PATH)]).toEqual([0, "words", "words"]);
  });

  test("survives a reload while the service is slow, and one after it refused", async () => {
    const files = await open();
    held();
    void files.writeText(PATH, "slow");
    expect(await (await reload()).readText(PATH)).toBe("slow");
    desk.mayKeep = () => Promise.reject(new Error("no line"));
    const next = await open();
    await expect(next.writeText(PATH, "refused")).rejects.toThrow("no line");
    expect(await (await reload()).readText(PATH)).toBe("refused");
    expect(stored.size).toBe(0);
  });

  test("while a slow save runs survives a reload, the newest of it", async () => {
    const library = libraryOver(await open());
    held();
    const words = (text: string) => placedResult([{ id: "c", start: 0, end: 1, text }], { runId: "a" });
    for (const text of ["Saved slowly.", "Typed meanwhile.", "Typed last."]) {
      void library.saveResult(words(text));
      await turns();
    }
    const after = await libraryOver(await reload()).loadResult("a");
    expect(after?.cues[0]?.text).toBe("Typed last.");
    expect(stored.size).toBe(0);
  });

  test("meanwhile waits for its own turn when the slow save is over", async () => {
    const library = libraryOver(await open());
    const goes = held();
    const saves = ["1", "2"].map((text) => library.saveText("a.txt", text));
    await turns();
    goes[0]?.resolve();
    await turns();
    // The first is there; the second is not yet, and must survive.
    expect([desk.texts_.get("kept/results/a.txt"), [...stored.values()]]).toEqual(["1", ["2"]]);
    goes[1]?.resolve();
    await Promise.all(saves);
    expect([desk.texts_.get("kept/results/a.txt"), stored.size]).toEqual(["2", 0]);
  });

  test("by two at once is the newer one's until the service has that", async () => {
    const files = await open();
    const goes = held();
    const [older, newer] = [files.writeText(PATH, "older"), files.writeText(PATH, "newer")];
    goes[0]?.resolve();
    await older;
    expect([...stored.values()]).toEqual(["newer"]);
    goes[1]?.resolve();
    await newer;
    expect(stored.size).toBe(0);
  });

  test("and could not be brought at the next opening waits on, and the page opens all the same", async () => {
    const files = await open();
    held();
    void files.writeText(PATH, "waits");
    desk.mayKeep = () => Promise.reject(new Error("no line"));
    await open();
    expect([...stored.values()]).toEqual(["waits"]);
    expect(await (await reload()).readText(PATH)).toBe("waits");
  });

  test("in several texts waits and is brought in each of them, but for those that cannot be", async () => {
    const files = await open();
    held();
    const paths = ["a", "b", "c"].map((name) => `kept/results/${name}.result.json`);
    for (const path of paths) void files.writeText(path, `words of ${path}`);
    stored.set("another's", "stays");
    desk.mayKeep = async () => {
      if (desk.asked.at(-1)?.includes("/b.") === true) throw new Error("refused");
    };
    await open();
    expect([...desk.texts_.keys()]).toEqual([paths[0], paths[2]]);
    expect([...stored.values()]).toEqual([`words of ${paths[1]}`, "stays"]);
    const again = await reload();
    for (const path of paths) expect(await again.readText(path)).toBe(`words of ${path}`);
    expect([...stored.values()]).toEqual(["stays"]);
  });

  test("where the browser is full leaves no older text that would come back over it", async () => {
    const files = await open();
    desk.mayKeep = () => Promise.reject(new Error("no line"));
    await files.writeText(PATH, "older").catch(() => undefined);
    isFull = true;
    desk.mayKeep = async () => undefined;
    await files.writeText(PATH, "newer");
    expect(stored.size).toBe(0);
    expect(await (await reload()).readText(PATH)).toBe("newer");
  });

  test("of one team, or of a reviewer, is not brought to another", async () => {
    const files = await open({ team: "north" });
    held();
    void files.writeText(PATH, "north's");
    desk.mayKeep = async () => undefined;
    await open({ team: "south" });
    await PageFiles.open(desk, { team: "north", review: { run_id: "a" } });
    expect([desk.texts_.size, stored.size]).toEqual([0, 1]);
  });

  test("and removed does not come back", async () => {
    const files = await open();
    await files.writeText(PATH, "gone");
    desk.mayKeep = () => Promise.reject(new Error("no line"));
    await files.writeText(PATH, "gone too").catch(() => undefined);
    await files.remove(PATH);
    const again = await reload();
    expect([desk.texts_.size, stored.size, await again.size(PATH)]).toEqual([0, 0, null]);
  });
});

describe("a reviewer's page", () => {
  const review = { team: "north", review: { run_id: "a" } };

  test("has the service keep the texts of its run alone; other choices stay in the browser, and are there the next time", async () => {
    const files = await PageFiles.open(desk, review);
    await files.writeText(PATH, "the run's");
    await files.writeText("kept/settings.json", "chosen");
    await files.writeText("kept/results/ab.result.json", "another's");
    expect([...desk.texts_.keys()]).toEqual([PATH]);
    const again = await PageFiles.open(desk, review);
    expect(await again.readText("kept/settings.json")).toBe("chosen");
    expect(await again.readText("kept/results/ab.result.json")).toBe("another's");
    // Those choices are not the team's.
    expect(await (await open()).size("kept/settings.json")).toBeNull();
  });
});

/** A browser's folder of files, whose answers can be held. */
function soundFolder(ports: Pick<HeldPorts, "wrap"> = { wrap: (port) => port }) {
  const sounds = new Map<string, Blob>();
  const handle = (name: string) =>
    ports.wrap({
      getFile: async () => sounds.get(name),
      createWritable: async () => {
        const parts: ArrayBuffer[] = [];
        const sink = ports.wrap({ close: async () => void sounds.set(name, new Blob(parts)) });
        return new WritableStream({
          write: (one: ArrayBuffer | { readonly data: ArrayBuffer }) => void parts.push("data" in one ? one.data : one),
          close: () => sink.close(),
        });
      },
    });
  const folder = {
    getFileHandle: async (name: string, { create = false } = {}) => {
      if (!create && !sounds.has(name)) throw new Error("not there");
      return handle(name);
    },
    removeEntry: async (name: string) => void sounds.delete(name),
    keys: async function* () {
      yield* sounds.keys();
    },
  };
  return { sounds, folder: ports.wrap(folder) };
}

describe("files of the page", () => {
  test("are listed by their folder, not by folders in it or beside it", async () => {
    for (const path of ["kept/a", "kept/results/b", "kept/results/in/c", "kept/results2/d"]) desk.texts_.set(path, "x");
    const files = await open();
    await files.writeText("to-save/e.srt", "x");
    expect([await files.list("kept/results"), await files.list("kept"), await files.list("to-save")]).toEqual([
      ["b"],
      ["a"],
      ["e.srt"],
    ]);
    expect(desk.texts_.has("to-save/e.srt")).toBe(false);
    // It is saved once, and not there again after a reload; what is chosen is.
    await files.writeText("choices.json", "{}");
    const again = await open();
    expect([await again.list("to-save"), await again.readText("choices.json")]).toEqual([[], "{}"]);
    expect(await (await files.blobOf("to-save/e.srt"))?.text()).toBe("x");
  });

  test("that are of the history are read when the page opens, each once", async () => {
    for (const name of ["a.result", "a.job", "b.job", "c.job"]) desk.texts_.set(`kept/results/${name}.json`, name);
    const files = await open();
    const read = ["a", "b", "c"].map((name) => `read kept/results/${name}.job.json`);
    expect(desk.asked.toSorted()).toEqual(read);
    expect(await files.readText("kept/results/b.job.json")).toBe("b.job");
    expect(desk.asked).toHaveLength(3);
  });

  test("do not open where the history cannot be read", async () => {
    for (const name of ["a.job", "b.job"]) desk.texts_.set(`kept/results/${name}.json`, name);
    desk.readText = () => Promise.reject(new Error("no line"));
    await expect(open()).rejects.toThrow("no line");
  });

  test("that are sounds are kept by the browser: listed, renamed, read in pieces and removed, each under its whole path", async () => {
    const { sounds, folder } = soundFolder();
    vi.stubGlobal("navigator", { storage: { getDirectory: async () => folder } });
    const files = await open();
    for (const name of ["one", "two", "three"]) sounds.set(`kept~results~${name}.wav`, new Blob([name]));
    sounds.set("kept~exports~other.wav", new Blob(["other"]));
    expect(await files.list("kept/results")).toEqual(["one.wav", "two.wav", "three.wav"]);
    await files.rename("kept/results/two.wav", "kept/results/2.wav");
    expect((await files.list("kept/results")).toSorted()).toEqual(["2.wav", "one.wav", "three.wav"]);
    expect(new TextDecoder().decode(await files.readBytes("kept/results/2.wav", 1, 2))).toBe("wo");
    await files.remove("kept/results/2.wav");
    expect([...sounds.keys()].toSorted()).toEqual([
      "kept~exports~other.wav",
      "kept~results~one.wav",
      "kept~results~three.wav",
    ]);
    await files.writeText("to-save/a.srt", "x");
    await files.remove("to-save/a.srt");
    expect(await files.list("to-save")).toEqual([]);
  });

  describe.each(["oldest first", "newest first"] as const)("whatever comes first (%s)", (order) => {
    /** Files whose service and sounds take their time, with a text and a sound that are there. */
    async function slowFiles() {
      const ports = new HeldPorts();
      const { sounds, folder } = soundFolder(ports);
      vi.stubGlobal("navigator", { storage: { getDirectory: async () => folder } });
      desk.texts_.set(PATH, "words");
      sounds.set("kept~a.wav", new Blob(["heard"]));
      const opening = PageFiles.open(ports.wrap(desk), { team: "north" });
      await ports.letGo();
      // Streams take turns of their own.
      let turnsLeft = 5;
      ports.whenIdle = async () => {
        await turns();
        return --turnsLeft > 0;
      };
      return { ports, sounds, files: await opening };
    }

    test.each<readonly [string, (files: Files) => Promise<unknown>, readonly string[], readonly string[]]>([
      ["a text is written", (files) => files.writeText("kept/b.txt", "x"), [PATH, "kept/b.txt"], ["kept~a.wav"]],
      ["a text is removed", (files) => files.remove(PATH), [], ["kept~a.wav"]],
      ["a sound is removed", (files) => files.remove("kept/a.wav"), [PATH], []],
      ["a sound is renamed", (files) => files.rename("kept/a.wav", "kept/b.wav"), [PATH], ["kept~b.wav"]],
    ])("%s by the time that it is said", async (_, deed, texts, heard) => {
      const { ports, sounds, files } = await slowFiles();
      expect(await ports.settlesLast(() => deed(files), -1, order)).toBeNull();
      expect([[...desk.texts_.keys()], [...sounds.keys()]]).toEqual([texts, heard]);
    });

    test("a sound that cannot be renamed is still there", async () => {
      const calls = ["getFileHandle", "getFile", "getFileHandle", "createWritable", "close"];
      for (const failing of calls.keys()) {
        const { ports, sounds, files } = await slowFiles();
        expect(await ports.settlesLast(() => files.rename("kept/a.wav", "kept/b.wav"), failing, order)).toBeInstanceOf(
          Error,
        );
        expect(sounds.has("kept~a.wav"), calls[failing]).toBe(true);
      }
    });
  });

  test("have the size of their bytes, and films are read where they are", async () => {
    const files = await open();
    await files.writeText(PATH, "é女");
    expect(await files.size(PATH)).toBe(5);
    files.addFilm("films/m", new Blob(["0123456789"]));
    expect([await files.size("films/m"), new TextDecoder().decode(await files.readBytes("films/m", 3, 4))]).toEqual([
      10,
      "3456",
    ]);
    expect(await files.readText("films/m")).toBe("0123456789");
    await files.writeText("to-save/a.srt", "words");
    expect(await files.readText("to-save/a.srt")).toBe("words");
    await expect(files.readText("films/none")).rejects.toMatchObject({ code: "file_not_found" });
    await expect(files.readBytes("films/none", 0, 1)).rejects.toMatchObject({ code: "file_not_found" });
    await expect(files.rename("films/none", "films/other")).rejects.toMatchObject({ code: "file_not_found" });
  });
});
