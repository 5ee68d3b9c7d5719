import type { Action, CompoundAction, Project, Sequence, TrackItemSelection } from "@adobe/premierepro";
import { beforeEach, describe, expect, test } from "vitest";
import { openSample } from "../../host/premiere/open-premiere.ts";
import { MemoryWorld } from "./memory-world.ts";
import type { PremiereDouble } from "./premiere.ts";

let premiere: PremiereDouble;
let world: MemoryWorld;
beforeEach(() => {
  world = new MemoryWorld();
  premiere = openSample({}, { world });
});

async function open(): Promise<{ project: Project; sequence: Sequence }> {
  const project = await premiere.module.Project.getActiveProject();
  return { project, sequence: await project.getActiveSequence() };
}

function transact(project: Project, build: (compound: CompoundAction) => void, label = "Edit"): boolean {
  let isDone = false;
  project.lockedAccess(() => {
    isDone = project.executeTransaction(build, label);
  });
  return isDone;
}

describe("locks and transactions", () => {
  test("an action cannot be made outside the lock", async () => {
    const { sequence } = await open();
    const markers = await premiere.module.Markers.getMarkers(sequence);
    expect(() => markers.createAddMarkerAction("AD")).toThrow("Requires locked access");
  });

  test("a transaction cannot run outside the lock", async () => {
    const { project } = await open();
    expect(() => project.executeTransaction(() => undefined, "Edit")).toThrow("Requires locked access");
  });

  test("an action kept from an earlier lock is refused", async () => {
    const { project, sequence } = await open();
    const markers = await premiere.module.Markers.getMarkers(sequence);
    let kept: Action = {};
    project.lockedAccess(() => {
      kept = markers.createAddMarkerAction("AD");
    });
    expect(() => transact(project, (compound) => compound.addAction(kept))).toThrow("Script action failed to execute");
  });

  test("an action cannot be used twice", async () => {
    const { project, sequence } = await open();
    const markers = await premiere.module.Markers.getMarkers(sequence);
    const twice = (compound: CompoundAction) => {
      const action = markers.createAddMarkerAction("AD");
      compound.addAction(action);
      compound.addAction(action);
    };
    expect(() => transact(project, twice)).toThrow("Script action failed to execute");
  });

  test("an async callback is an error and is noted", async () => {
    const { project } = await open();
    const asynchronous = async () => undefined;
    expect(() => project.lockedAccess(asynchronous)).toThrow("async callback in lockedAccess");
    expect(premiere.machine.violations).toEqual(["async callback in lockedAccess"]);
  });

  test("actions of one transaction do not see each other", async () => {
    const { project, sequence } = await open();
    const markers = await premiere.module.Markers.getMarkers(sequence);
    let seen = -1;
    transact(project, (compound) => {
      compound.addAction(markers.createAddMarkerAction("AD"));
      seen = markers.getMarkers().length;
    });
    expect(seen).toBe(1);
  });

  test("an in point set together with an out point is dropped", async () => {
    const { project, sequence } = await open();
    const { TickTime } = premiere.module;
    transact(project, (compound) => {
      compound.addAction(sequence.createSetInPointAction(TickTime.createWithSeconds(1)));
      compound.addAction(sequence.createSetOutPointAction(TickTime.createWithSeconds(2)));
    });
    const state = premiere.machine.sequence("project-sample", "sequence-sample");
    expect([state.inPoint, state.outPoint]).toEqual([null, 2n * 254_016_000_000n]);
  });

  test("an empty transaction is no step of the undo history, whatever it answers", async () => {
    const { project } = await open();
    transact(project, () => undefined);
    expect(premiere.machine.undoStack).toEqual([]);
  });
});

describe("handles", () => {
  test("are stale after a commit", async () => {
    const { project, sequence } = await open();
    const markers = await premiere.module.Markers.getMarkers(sequence);
    transact(project, (compound) => compound.addAction(markers.createAddMarkerAction("AD")));
    expect(() => sequence.name).toThrow("The script object is no longer valid");
  });

  test("are stale after a step of the user's", async () => {
    const { sequence } = await open();
    premiere.user.deleteMarker("sequence-sample", "marker-of-the-editor");
    expect(() => sequence.guid).toThrow("The script object is no longer valid");
  });

  test("are new objects each time", async () => {
    const first = await open();
    const second = await open();
    expect(first.sequence === second.sequence).toBe(false);
    expect(first.sequence.guid.toString()).toBe(second.sequence.guid.toString());
  });

  test("have no member that the host lacks, cannot be listed or written to", async () => {
    const { sequence } = await open();
    expect(() => Reflect.get(sequence, "getMarkers")).toThrow('Sequence has no member "getMarkers"');
    expect(() => Object.keys(sequence)).toThrow("must not be enumerated");
    expect(() => Reflect.set(sequence, "name", "x")).toThrow("cannot be set");
  });
});

describe("arguments", () => {
  test("undefined is refused where the argument could have been left out", async () => {
    const { project } = await open();
    // The mistake under test: the declarations allow it.
    const paths: [string[], boolean, undefined] = [["/a.wav"], true, undefined];
    expect(() => Reflect.apply(project.importFiles, project, paths)).toThrow("Illegal Parameter type");
  });

  test("too few are refused", async () => {
    const { sequence } = await open();
    expect(() => Reflect.apply(sequence.getAudioTrack, sequence, [])).toThrow("Not Enough Parameters");
  });

  test("a number of ticks must be text", () => {
    const { TickTime } = premiere.module;
    expect(() => Reflect.apply(TickTime.createWithTicks, TickTime, [5])).toThrow("Illegal Parameter type");
  });

  test("a cast item is refused where the raw one belongs", async () => {
    const { project, sequence } = await open();
    const items = await (await project.getRootItem()).getItems();
    const raw = items[0];
    if (raw === undefined) throw new Error("the sample has items");
    const clip = premiere.module.ClipProjectItem.cast(raw);
    const editor = premiere.module.SequenceEditor.getEditor(sequence);
    const time = premiere.module.TickTime.TIME_ZERO;
    project.lockedAccess(() => {
      const given = [clip, time, 0, 0];
      expect(() => Reflect.apply(editor.createOverwriteItemAction, editor, given)).toThrow("Illegal Parameter type");
    });
  });

  test("a literal in place of a constant makes an export fail without a word", async () => {
    const { sequence } = await open();
    world.files.set("/p.epr", { size: 1, facts: null });
    const manager = premiere.module.EncoderManager.getManager();
    // The mistake under test: a guessed value.
    const given = [sequence, "IMMEDIATELY", "/out.mp4", "/p.epr", true];
    expect(await Reflect.apply(manager.exportSequence, manager, given)).toBe(false);
    expect(world.orders).toEqual([]);
  });

  test("a selection lives inside its callback", async () => {
    const { project, sequence } = await open();
    const { module } = premiere;
    let kept: TrackItemSelection | undefined;
    module.TrackItemSelection.createEmptySelection((selection) => {
      kept = selection;
    });
    project.lockedAccess(() => {
      const given = [kept, false, module.Constants.MediaType.AUDIO];
      const editor = module.SequenceEditor.getEditor(sequence);
      expect(() => Reflect.apply(editor.createRemoveItemsAction, editor, given)).toThrow("Illegal Parameter type");
    });
  });
});

describe("placing", () => {
  const onGrid = 10_160_640_000n;

  async function place(how: "overwrite" | "insert", audioIndex: number, seconds: number, limitsShift = true) {
    const { project, sequence } = await open();
    const items = await (await project.getRootItem()).getItems();
    const item = items.find((one) => one.name === "music.wav");
    if (item === undefined) throw new Error("the sample has music");
    const editor = premiere.module.SequenceEditor.getEditor(sequence);
    const time = premiere.module.TickTime.createWithSeconds(seconds);
    const fresh = (await open()).project;
    transact(fresh, (compound) => {
      compound.addAction(
        how === "overwrite"
          ? editor.createOverwriteItemAction(item, time, -1, audioIndex)
          : editor.createInsertProjectItemAction(item, time, -1, audioIndex, limitsShift),
      );
    });
    return premiere.machine.sequence("project-sample", "sequence-sample");
  }

  test("-1 for the audio track writes over the first", async () => {
    const after = await place("overwrite", -1, 0);
    expect(after.audioTracks[0]?.items.map((item) => item.name)).toEqual(["music.wav"]);
  });

  test("an index further out than the next track fails", async () => {
    await expect(place("overwrite", 9, 0)).rejects.toThrow("Script action failed to execute");
    expect((await place("overwrite", 2, 0)).audioTracks).toHaveLength(3);
  });

  test("overwriting cuts away what is there and snaps to the frame", async () => {
    const after = await place("overwrite", 0, 10.01);
    expect(after.audioTracks[0]?.items.map((item) => [item.name, item.start, item.end])).toEqual([
      ["harbour.mp4", 0n, 250n * onGrid],
      ["music.wav", 250n * onGrid, 1750n * onGrid],
    ]);
  });

  test("inserting shifts every track unless the shift is limited", async () => {
    const limited = await place("insert", 2, 10, true);
    expect(limited.videoTracks[0]?.items).toHaveLength(1);
    premiere.user.undo();
    const rippled = await place("insert", 2, 10, false);
    expect(rippled.videoTracks[0]?.items).toHaveLength(2);
  });
});

describe("undo", () => {
  test("brings back what was there, but leaves mutes and the playhead", async () => {
    const before = premiere.machine.sequence("project-sample", "sequence-sample");
    const { project, sequence } = await open();
    const track = await sequence.getAudioTrack(0);
    await track.setMute(true);
    const markers = await premiere.module.Markers.getMarkers(sequence);
    transact(project, (compound) => compound.addAction(markers.createAddMarkerAction("AD")), "Add AD");
    expect(premiere.user.undo()).toBe("Add AD");
    const after = premiere.machine.sequence("project-sample", "sequence-sample");
    expect(after.markers).toEqual(before.markers);
    expect(after.audioTracks[0]?.isMuted).toBe(true);
    expect(premiere.user.redo()).toBe("Add AD");
    expect(premiere.user.redo()).toBeNull();
  });
});
