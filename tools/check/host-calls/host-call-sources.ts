/** How much is known of a call: others saw it, the vendor describes it, the vendor declares it, or nobody says what is relied on. */
type CallSource = "measured" | "documented" | "typed" | "assumed";

/** What vouches for some members of one owner. */
export interface SourcedCalls {
  /** What holds the members; "" for names that stand for themselves. */
  readonly owner: string;
  readonly members: readonly string[];
  readonly source: CallSource;
  /** For what was measured: by whom, as keys of {@link WITNESSES}. */
  readonly by?: readonly (keyof typeof WITNESSES)[];
  /** Where it is said: a section of `premiere-uxp.md`, a heading of `premiere-measured.md`, or Adobe's page. */
  readonly where: string;
  /** For what is assumed: what happens where it does not hold, and the code that sees to it, as `file#name`. */
  readonly fallback?: { readonly does: string; readonly code: string };
}

/** Who measured something in a running Premiere. */
export const WITNESSES = {
  A: "premiere-autoedit, macOS, 26.3.2",
  auphonic: "auphonic-premiere-plugin, macOS, 26.x",
  B: "ppro-agent-bridge, 27.0.0 beta",
  bolt: "bolt-uxp, whose menu loads a plugin again",
  bridge: "notes of a bridge panel, macOS, August and September 2026",
  C: "notes of CutDeck, Windows, 26.5",
  dume: "the panels Dum-E, STEP-D and B-Roller, 25.6 to 26.x",
  E: "EditOfLegends, 26.5",
  G: "Legenda, 26.3",
  H: "premiere-claude-plugin, macOS",
  L: "Lightflow, installed package, Windows, 26.5.0",
  M: "premiere-pro-mcp, its issues, macOS, 26.5.1",
  N: "a companion panel, 26.5.1",
  optaudio: "a public job that optimises audio",
  podcut: "PodCut's wait for exports, 26.5",
  R: "Brainferno's panel, 26.3.2",
  reports: "reports in forums, several machines",
  tomshi: "Tomshi's library, Windows, 26.x",
  W: "notes of a Windows panel, 26.3.2",
} as const;

const HANDBOOK = "premiere-uxp.md";
const MEASURED = "premiere-measured.md";
const NEWER = `${MEASURED}, Newer`;

/** Members that came after 25.6, with the version that brought them: each is asked for before it is used. */
export const SINCE: Readonly<Record<string, string>> = {
  "AudioTrack.createSetNameAction": "26.3",
  "EncoderManager.launchEncoder": "26.3",
  "EncoderManager.startBatchEncode": "26.3",
  "Marker.guid": "26.3",
  "ProjectConverter.exportAAF": "26.3",
  "ProjectConverter.exportAsFinalCutProXML": "26.2",
  "ProjectConverter.exportAsOpenTimelineIO": "26.2",
  "SourceMonitor.setPosition": "26.3",
  "Transcript.hasTranscript": "26.3",
  "element video": "UXP 9.1, for sound",
  "host.applicationPath": "26.5",
};

/**
 * Other answers that are survived by members of UXP and its document, each with the test that shows it. Of Premiere's members the
 * matrix tells.
 */
export const SURVIVED: Readonly<Record<string, { readonly answers: string; readonly test: string }>> = {
  "AbortSignal.addEventListener": { answers: "nothing", test: "test/host/uxp/platform.test.ts" },
  "XMLHttpRequest.open": { answers: "refuses one name of this computer", test: "test/host/uxp/loopback.test.ts" },
  "XMLHttpRequest.responseType": { answers: "another shape", test: "test/host/uxp/uxp-transfer.test.ts" },
  "element button": { answers: "takes no background", test: "test/panel/first-contact.test.ts" },
  "element video": { answers: "nothing, missing", test: "test/panel/first-contact.test.ts" },
  "fs.rename": { answers: "refuses", test: "test/host/uxp/uxp-files.test.ts" },
  "fs.write.bytesWritten": { answers: "less than was asked", test: "test/host/uxp/uxp-files.test.ts" },
  "host.applicationPath": { answers: "missing", test: "test/host/uxp/application-folders.test.ts" },
  "navigator.clipboard.setContent": { answers: "missing", test: "test/tools/build/start.test.ts" },
  "os.platform": { answers: "another shape", test: "test/core/operating-system.test.ts" },
};

/**
 * Every member of the host that the panel's code uses, with what vouches for it. `test/tools/check/host-calls.test.ts` holds it against
 * the code: what is used and stands not here, or stands here and is used no more, fails. "Typed" means that the vendor declares it and
 * no source says how it behaves; what is "assumed" is relied on beyond what any source says, and has a fallback.
 */
export const HOST_CALLS: readonly SourcedCalls[] = [
  ...measured("dume bridge C", `${HANDBOOK} 2.2`, {
    Project: "lockedAccess executeTransaction",
    CompoundAction: "addAction",
  }),
  ...measured("B", NEWER, { Project: "getSequence getSequences" }),
  ...measured("L E", NEWER, { Project: "getProject" }),
  ...measured("W", `${MEASURED}, Reading`, { Project: "getActiveSequence" }),
  ...measured("dume", `${HANDBOOK} 2.2`, { Project: "guid", Sequence: "guid", Guid: "toString" }),
  ...documented(`${HANDBOOK} 2.3`, {
    Project: "getActiveProject setActiveSequence getRootItem",
    Guid: "fromString",
  }),
  ...measured("W", `${MEASURED}, Network and files`, { Project: "path", ClipProjectItem: "getMediaFilePath" }),
  ...measured("dume bridge", `${HANDBOOK} 2.4`, {
    Sequence:
      "getInPoint getOutPoint getEndTime getZeroPoint getTimebase createSetInPointAction createSetOutPointAction " +
      "getPlayerPosition setPlayerPosition",
  }),
  ...measured("auphonic tomshi optaudio", `${HANDBOOK} 2.7`, { Sequence: "getAudioTrackCount getAudioTrack" }),
  ...documented(`${HANDBOOK} 2.4`, {
    Sequence: "getFrameSize getVideoTrackCount getVideoTrack name",
    RectF: "width height",
    TickTime: "createWithTicks ticks",
  }),
  ...typed(`${HANDBOOK} 2.4`, {
    Sequence: "getProjectItem getSequenceVideoTimeDisplayFormat",
    "Constants.VideoDisplayFormatType": "FPS_23_976 FPS_25 FPS_29_97 FPS_29_97_NON_DROP FRAMES",
  }),
  assumed("TimeDisplay", "type", `${HANDBOOK} 2.4, 8: that UXP numbers the displays as ExtendScript does`, {
    does: "labels are counted without dropping, and the header shows it",
    code: "src/host/premiere/read-snapshot.ts#labelCounting",
  }),
  ...measured("dume C W", `${HANDBOOK} 2.5`, {
    Markers: "getMarkers createAddMarkerAction createMoveMarkerAction createRemoveMarkerAction",
    Marker:
      "MARKER_TYPE_COMMENT getName getComments getType getStart getDuration getColorIndex createSetNameAction " +
      "createSetCommentsAction createSetDurationAction createSetColorByIndexAction",
    "Constants.MarkerColor": "GREEN RED MAGNETA ORANGE YELLOW BLUE CYAN",
  }),
  assumed("Marker", "guid", `${HANDBOOK} 2.5, 8: that it outlasts undo, saving and opening again`, {
    does: "a marker is found again by the tag in its comment, of several the one nearest to its place",
    code: "src/workflow/place/read-back.ts#readBack",
  }),
  ...measured("auphonic tomshi R B", `${HANDBOOK} 2.6, ${NEWER}`, { Project: "importFiles" }),
  ...measured("tomshi optaudio bridge", `${HANDBOOK} 2.6`, {
    FolderItem: "cast getItems createBinAction createRemoveItemAction",
    ClipProjectItem: "cast",
    ProjectItem: "getId name createSetNameAction",
  }),
  ...measured("W C", `${MEASURED}, Reading`, {
    ClipProjectItem: "isOffline isSequence",
    AudioClipTrackItem: "getSpeed isSpeedReversed isDisabled",
    VideoClipTrackItem: "getSpeed isSpeedReversed isDisabled",
    AudioTrack: "getTrackItems",
    VideoTrack: "getTrackItems",
  }),
  ...measured("auphonic tomshi bridge C", `${HANDBOOK} 2.7`, {
    SequenceEditor: "getEditor createInsertProjectItemAction createOverwriteItemAction createRemoveItemsAction",
    AudioTrack: "setMute isMuted name",
    AudioClipTrackItem: "getName getStartTime getEndTime getInPoint getProjectItem createSetNameAction",
    VideoClipTrackItem: "getName getStartTime getEndTime getInPoint getProjectItem",
    VideoTrack: "isMuted name",
    "Constants.TrackItemType": "CLIP",
    "Constants.MediaType": "AUDIO",
  }),
  ...documented(`${HANDBOOK} 2.7`, { AudioTrack: "createSetNameAction" }),
  ...measured("W C E", `${MEASURED}, Changing, ${NEWER}`, {
    Sequence: "getSelection clearSelection createCloneAction",
    TrackItemSelection: "createEmptySelection addItem",
  }),
  ...measured("W C", `${MEASURED}, Sound levels on the timeline`, {
    AudioClipTrackItem: "getComponentChain",
    AudioComponentChain: "getComponentAtIndex getComponentCount",
    Component: "getMatchName getParam",
    ComponentParam: "createAddKeyframeAction createKeyframe createSetTimeVaryingAction",
    Keyframe: "position",
  }),
  ...typed(`${MEASURED}, Sound levels on the timeline`, {
    ComponentParam: "createSetValueAction getKeyframeListAsTickTimes getKeyframePtr getStartValue isTimeVarying",
  }),
  ...measured("auphonic dume bridge W", `${HANDBOOK} 2.8`, {
    EncoderManager: "getManager exportSequence",
    "Constants.ExportType": "IMMEDIATELY",
  }),
  ...measured("tomshi", `${HANDBOOK} 2.8`, { EncoderManager: "getExportFileExtension" }),
  ...measured("M", NEWER, { EncoderManager: "startBatchEncode" }),
  ...documented(`${HANDBOOK} 2.8`, {
    EncoderManager: "isAMEInstalled",
    "Constants.OperationCompleteEvent": "EXPORT_MEDIA_COMPLETE",
    "Constants.OperationCompleteState": "SUCCESS",
  }),
  ...documented(`${HANDBOOK} 2.9`, {
    EventManager: "addGlobalEventListener removeGlobalEventListener",
    "Constants.ProjectEvent": "OPENED CLOSED ACTIVATED DIRTY",
    "Constants.SequenceEvent": "ACTIVATED CLOSED",
  }),
  ...documented(`${HANDBOOK} 2.10`, {
    Properties: "getProperties hasValue getValue createSetValueAction",
    "Constants.PropertyType": "PERSISTENT",
  }),
  ...typed(`${MEASURED}, Changing`, { Properties: "createClearValueAction" }),
  ...typed(`${HANDBOOK} 2.3`, { Project: "deleteSequence" }),
  ...typed(`${MEASURED}, Exporting`, {
    EncoderManager:
      "launchEncoder EVENT_RENDER_CANCEL EVENT_RENDER_COMPLETE EVENT_RENDER_ERROR EVENT_RENDER_PROGRESS EVENT_RENDER_QUEUE",
    "Constants.ExportType": "QUEUE_TO_AME",
    EventManager: "addEventListener removeEventListener",
    ProjectConverter: "exportAAF exportAsOpenTimelineIO exportAsFinalCutProXML",
  }),
  ...documented(`${HANDBOOK} 2.11`, { Transcript: "exportToJSON hasTranscript" }),
  ...measured("A", `${MEASURED}, Playing sound`, { SourceMonitor: "openFilePath play getPosition closeClip" }),
  ...typed(`${MEASURED}, Playing sound`, { SourceMonitor: "getProjectItem openProjectItem setPosition" }),

  ...documented(`${HANDBOOK} 1.2`, {
    entrypoints: "setup",
    window: "addEventListener",
    event: "unload beforeunload",
  }),
  ...measured("W C podcut", `${MEASURED}, Package and loading`, {
    host: "version applicationPath",
    versions: "uxp plugin",
  }),
  ...documented(`${HANDBOOK} 4.1`, {
    "": "setTimeout clearTimeout",
    AbortController: "abort signal",
    new: "AbortController XMLHttpRequest",
    AbortSignal: "aborted reason throwIfAborted",
  }),
  assumed(
    "AbortSignal",
    "addEventListener removeEventListener",
    `${HANDBOOK} 4.1: the vendor's class has no listeners`,
    {
      does: "a controller of our own takes the place of one that tells nobody",
      code: "src/host/uxp/abort.ts#PlainAbortController",
    },
  ),
  ...measured("H L", `${MEASURED}, Network and files, Newer`, { XMLHttpRequest: "open send" }),
  ...documented(`${HANDBOOK} 4.2`, {
    XMLHttpRequest:
      "abort setRequestHeader getResponseHeader status response onload onerror onabort ontimeout " +
      "onprogress.loaded upload.onprogress.loaded",
  }),
  ...measured("reports", `${MEASURED}, Network and files`, {
    XMLHttpRequest: "responseType",
    fs: "write.bytesWritten",
  }),
  ...documented(`${HANDBOOK} 4.4`, {
    fs: "open close read.bytesRead lstat.size lstat.isFile readFile writeFile unlink mkdir readdir",
    localFileSystem: "getDataFolder getPluginFolder getFileForOpening getFolder",
    Entry: "name nativePath",
    Folder: "getEntry",
    secureStorage: "getItem setItem removeItem",
    os: "platform homedir",
    shell: "openPath openExternal",
    "": "storage",
  }),
  assumed("fs", "rename", `${HANDBOOK} 4.4: that it replaces its target`, {
    does: "the target steps aside first, and is put back at the next start where the panel was closed meanwhile",
    code: "src/host/uxp/work-folder.ts#mend",
  }),
  ...documented("developer.adobe.com/premiere-pro/uxp/resources/recipes/clipboard", {
    "navigator.clipboard": "setContent writeText",
  }),
  ...measured("G N", NEWER, { element: "button" }),
  ...documented(`${HANDBOOK} 5.1, 5.2`, {
    element: "div img input label option p select sp-action-button span textarea",
    event: "abort change click input keydown keyup",
    Element:
      "addEventListener appendChild checked className disabled focus insertBefore removeAttribute removeChild " +
      "setAttribute value",
    Node: "appendChild textContent",
    document: "body createElement createTextNode getElementById",
    Event: "altKey ctrlKey currentTarget key metaKey preventDefault shiftKey target",
  }),
  ...documented(`${NEWER}: Adobe's account of UXP 9.1`, {
    element: "video",
    event: "error timeUpdate timeupdate",
    Element: "currentTime pause play",
  }),
  ...typed("@adobe/cc-ext-uxp-types 7.3.1", {
    Element: "clientHeight clientWidth isConnected parentElement.clientWidth scrollTop",
    document: "activeElement",
  }),
  ...documented(`${HANDBOOK} 5.3`, { "document.theme": "getCurrent onUpdated.addListener" }),
  assumed("event", "mousedown mouseup", "no source: that they are told on body", {
    does: "drawing waits for nothing, or for two seconds at most",
    code: "panel/start-panel.ts#LONGEST_PRESS_MS",
  }),
  ...measured("bolt", "its menu", { "window.location": "reload" }),
  assumed("event", "scroll", "no source: that lists tell of it", {
    does: "it is looked how far the list is scrolled, some times a second",
    code: "panel/start-panel.ts#SCROLL_MS",
  }),
  assumed("Event", "offsetX", "no source: that a click tells where it was", {
    does: "the strip's beginning is meant; the list of cues leads everywhere too",
    code: "panel/views/programme-strip.ts#clickedShare",
  }),
  assumed("Event", "isComposing", "no source: that a key tells of a sign still being put together", {
    does: "the key is taken as it is",
    code: "panel/views/cue-editor.ts#isComposing",
  }),
];

function measured(by: string, where: string, owners: Readonly<Record<string, string>>): SourcedCalls[] {
  // The keys are checked by `test/tools/check/host-calls.test.ts`.
  const witnesses = by.split(" ") as (keyof typeof WITNESSES)[];
  return from("measured", where, owners).map((calls) => ({ ...calls, by: witnesses }));
}

function documented(where: string, owners: Readonly<Record<string, string>>): SourcedCalls[] {
  return from("documented", where, owners);
}

function typed(where: string, owners: Readonly<Record<string, string>>): SourcedCalls[] {
  return from("typed", where, owners);
}

function from(source: CallSource, where: string, owners: Readonly<Record<string, string>>): SourcedCalls[] {
  return Object.entries(owners).map(([owner, members]) => ({ owner, members: members.split(" "), source, where }));
}

function assumed(
  owner: string,
  members: string,
  where: string,
  fallback: NonNullable<SourcedCalls["fallback"]>,
): SourcedCalls {
  return { owner, members: members.split(" "), source: "assumed", where, fallback };
}
