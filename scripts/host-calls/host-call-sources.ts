/** How much is known of a call: the vendor declares it, describes it, others saw it work, or nobody says what we rely on. */
type CallSource = "types" | "documentation" | "measured" | "inferred";

/** What vouches for some members of one owner. */
export interface SourcedCalls {
  /** What holds the members; "" for names that stand for themselves. */
  readonly owner: string;
  readonly members: readonly string[];
  readonly source: CallSource;
  /** Where it is said: a section of `premiere-uxp.md`, a heading of `premiere-measured.md`, or Adobe's page. */
  readonly where: string;
  /** For what is inferred: what happens where it does not hold, and the code that sees to it, as `file#name`. */
  readonly fallback?: { readonly does: string; readonly code: string };
}

const HANDBOOK = "premiere-uxp.md";
const MEASURED = "premiere-measured.md";

/**
 * Every member of the host that the panel's code uses, with what vouches for it. `test/project/host-calls.test.ts` holds it against
 * the code: what is used and stands not here, or stands here and is used no more, fails. "Types" means that the vendor declares it and
 * no source says how it behaves; what is "inferred" is relied on beyond what any source says, and has a fallback.
 */
export const HOST_CALLS: readonly SourcedCalls[] = [
  ...from("measured", `${HANDBOOK} 2.2`, {
    Project: "lockedAccess executeTransaction",
    CompoundAction: "addAction",
  }),
  ...from("documentation", `${HANDBOOK} 2.3`, {
    Project:
      "getActiveProject getProject getActiveSequence getSequence getSequences setActiveSequence getRootItem guid",
    Guid: "fromString toString",
  }),
  ...from("measured", `${MEASURED}, Network and files`, { Project: "path", ClipProjectItem: "getMediaFilePath" }),
  ...from("measured", `${HANDBOOK} 2.4`, {
    Sequence:
      "getInPoint getOutPoint getEndTime getZeroPoint getTimebase createSetInPointAction createSetOutPointAction " +
      "getPlayerPosition setPlayerPosition",
  }),
  ...from("documentation", `${HANDBOOK} 2.4`, {
    Sequence: "getFrameSize getVideoTrackCount getAudioTrackCount getVideoTrack getAudioTrack guid name",
    RectF: "width height",
    TickTime: "createWithTicks ticks",
  }),
  ...from("types", `${HANDBOOK} 2.4`, {
    Sequence: "getProjectItem getSequenceVideoTimeDisplayFormat",
    "Constants.VideoDisplayFormatType": "FPS_23_976 FPS_25 FPS_29_97 FPS_29_97_NON_DROP FRAMES",
  }),
  inferred("TimeDisplay", "type", `${HANDBOOK} 2.4, 8: that UXP numbers the displays as ExtendScript does`, {
    does: "labels are counted without dropping, and the header shows it",
    code: "src/host/premiere/display-format.ts#labelCounting",
  }),
  ...from("measured", `${HANDBOOK} 2.5`, {
    Markers: "getMarkers createAddMarkerAction createMoveMarkerAction createRemoveMarkerAction",
    Marker:
      "MARKER_TYPE_COMMENT getName getComments getType getStart getDuration getColorIndex createSetNameAction " +
      "createSetCommentsAction createSetDurationAction createSetColorByIndexAction",
    "Constants.MarkerColor": "GREEN RED MAGNETA ORANGE YELLOW BLUE CYAN",
  }),
  inferred("Marker", "guid", `${HANDBOOK} 2.5, 8: that it outlasts undo, saving and opening again`, {
    does: "a marker is found again by the tag in its comment, of several the one nearest to its place",
    code: "src/workflow/place/read-back.ts#readBack",
  }),
  ...from("measured", `${HANDBOOK} 2.6`, {
    Project: "importFiles",
    FolderItem: "cast getItems createBinAction createRemoveItemAction",
    ClipProjectItem: "cast",
    ProjectItem: "getId name createSetNameAction",
  }),
  ...from("measured", `${MEASURED}, Reading`, {
    ClipProjectItem: "isOffline isSequence",
    AudioClipTrackItem: "getSpeed isSpeedReversed isDisabled",
    VideoClipTrackItem: "getSpeed isSpeedReversed isDisabled",
    AudioTrack: "getTrackItems",
    VideoTrack: "getTrackItems",
  }),
  ...from("measured", `${HANDBOOK} 2.7`, {
    SequenceEditor: "getEditor createInsertProjectItemAction createOverwriteItemAction createRemoveItemsAction",
    AudioTrack: "createSetNameAction setMute isMuted name",
    AudioClipTrackItem: "getName getStartTime getEndTime getInPoint getProjectItem createSetNameAction",
    VideoClipTrackItem: "getName getStartTime getEndTime getInPoint getProjectItem",
    VideoTrack: "isMuted name",
    "Constants.TrackItemType": "CLIP",
    "Constants.MediaType": "AUDIO",
  }),
  ...from("measured", `${MEASURED}, Changing`, {
    Sequence: "getSelection clearSelection createCloneAction",
    TrackItemSelection: "createEmptySelection addItem",
  }),
  ...from("measured", `${MEASURED}, Sound levels on the timeline`, {
    AudioClipTrackItem: "getComponentChain",
    AudioComponentChain: "getComponentAtIndex getComponentCount",
    Component: "getMatchName getParam",
    ComponentParam: "createAddKeyframeAction createKeyframe createSetTimeVaryingAction",
    Keyframe: "position",
  }),
  ...from("types", `${MEASURED}, Sound levels on the timeline`, {
    ComponentParam: "createSetValueAction getKeyframeListAsTickTimes getKeyframePtr getStartValue isTimeVarying",
  }),
  ...from("measured", `${HANDBOOK} 2.8`, {
    EncoderManager: "getManager exportSequence getExportFileExtension",
    "Constants.ExportType": "IMMEDIATELY",
  }),
  ...from("documentation", `${HANDBOOK} 2.8`, {
    EncoderManager: "isAMEInstalled",
    "Constants.OperationCompleteEvent": "EXPORT_MEDIA_COMPLETE",
    "Constants.OperationCompleteState": "SUCCESS",
  }),
  ...from("documentation", `${HANDBOOK} 2.9`, {
    EventManager: "addGlobalEventListener removeGlobalEventListener",
    "Constants.ProjectEvent": "OPENED CLOSED ACTIVATED DIRTY",
    "Constants.SequenceEvent": "ACTIVATED CLOSED",
  }),
  ...from("documentation", `${HANDBOOK} 2.10`, {
    Properties: "getProperties hasValue getValue createSetValueAction",
    "Constants.PropertyType": "PERSISTENT",
  }),
  ...from("types", `${MEASURED}, Changing`, { Properties: "createClearValueAction" }),
  ...from("types", `${HANDBOOK} 2.3`, { Project: "deleteSequence" }),
  ...from("types", `${MEASURED}, Exporting`, {
    EncoderManager:
      "launchEncoder startBatchEncode EVENT_RENDER_CANCEL EVENT_RENDER_COMPLETE EVENT_RENDER_ERROR EVENT_RENDER_PROGRESS EVENT_RENDER_QUEUE",
    "Constants.ExportType": "QUEUE_TO_AME",
    EventManager: "addEventListener removeEventListener",
    ProjectConverter: "exportAAF exportAsOpenTimelineIO exportAsFinalCutProXML",
  }),
  ...from("documentation", `${HANDBOOK} 2.11`, { Transcript: "exportToJSON hasTranscript" }),
  ...from("measured", `${MEASURED}, Playing sound`, { SourceMonitor: "openFilePath play getPosition closeClip" }),
  ...from("types", `${MEASURED}, Playing sound`, { SourceMonitor: "getProjectItem openProjectItem setPosition" }),

  ...from("documentation", `${HANDBOOK} 1.2`, { entrypoints: "setup", window: "addEventListener" }),
  ...from("measured", `${MEASURED}, Package and loading`, {
    host: "version applicationPath",
    versions: "uxp plugin",
  }),
  ...from("documentation", `${HANDBOOK} 4.1`, {
    "": "setTimeout clearTimeout",
    AbortController: "abort signal",
    new: "AbortController XMLHttpRequest",
    AbortSignal: "aborted reason throwIfAborted",
  }),
  inferred(
    "AbortSignal",
    "addEventListener removeEventListener",
    `${HANDBOOK} 4.1: the vendor's class has no listeners`,
    {
      does: "a controller of our own takes the place of one that tells nobody",
      code: "src/host/uxp/abort.ts#PlainAbortController",
    },
  ),
  ...from("documentation", `${HANDBOOK} 4.2`, {
    XMLHttpRequest:
      "open send abort setRequestHeader getResponseHeader status response onload onerror onabort ontimeout " +
      "onprogress.loaded upload.onprogress.loaded",
  }),
  ...from("measured", `${MEASURED}, Network and files`, { XMLHttpRequest: "responseType" }),
  ...from("documentation", `${HANDBOOK} 4.4`, {
    fs: "open close read.bytesRead lstat.size lstat.isFile readFile writeFile unlink mkdir readdir",
    localFileSystem: "getDataFolder getPluginFolder getFileForOpening getFolder",
    Entry: "name nativePath",
    Folder: "getEntry",
    secureStorage: "getItem setItem removeItem",
    os: "platform homedir",
    shell: "openPath openExternal",
    "": "storage",
  }),
  ...from("measured", `${MEASURED}, Network and files`, { fs: "write.bytesWritten" }),
  inferred("fs", "rename", `${HANDBOOK} 4.4: that it replaces its target`, {
    does: "the target steps aside first, and is put back at the next start where the panel was closed meanwhile",
    code: "src/host/uxp/uxp-files.ts#mend",
  }),
  ...from("documentation", "developer.adobe.com/premiere-pro/uxp/resources/recipes/clipboard", {
    "navigator.clipboard": "setContent writeText",
  }),
  ...from("documentation", `${HANDBOOK} 5.1`, {
    element: "button div img input label option p select span textarea",
    event: "abort change click input keydown keyup",
    Element:
      "addEventListener appendChild checked className disabled focus insertBefore removeAttribute removeChild " +
      "setAttribute value",
    Node: "appendChild textContent",
    document: "body createElement createTextNode getElementById",
    Event: "altKey ctrlKey currentTarget key metaKey preventDefault shiftKey target",
  }),
  ...from("types", "@adobe/cc-ext-uxp-types 7.3.1", {
    Element: "clientHeight clientWidth isConnected scrollTop",
    document: "activeElement",
  }),
  ...from("documentation", `${HANDBOOK} 5.3`, { "document.theme": "getCurrent onUpdated.addListener" }),
  inferred("event", "mousedown mouseup", "no source: that they are told on body", {
    does: "drawing waits for nothing, or for two seconds at most",
    code: "panel/start-panel.ts#LONGEST_PRESS_MS",
  }),
  ...from("measured", "bolt-uxp, whose menu loads a plugin again by it", { "window.location": "reload" }),
  inferred("event", "scroll", "no source: that lists tell of it", {
    does: "it is looked how far the list is scrolled, some times a second",
    code: "panel/start-panel.ts#SCROLL_MS",
  }),
  inferred("Event", "offsetX", "no source: that a click tells where it was", {
    does: "the strip's beginning is meant; the list of cues leads everywhere too",
    code: "panel/views/programme-strip.ts#clickedShare",
  }),
  inferred("Event", "isComposing", "no source: that a key tells of a sign still being put together", {
    does: "the key is taken as it is",
    code: "panel/views/cue-editor.ts#isComposing",
  }),
];

function from(source: CallSource, where: string, owners: Readonly<Record<string, string>>): SourcedCalls[] {
  return Object.entries(owners).map(([owner, members]) => ({ owner, members: members.split(" "), source, where }));
}

function inferred(
  owner: string,
  members: string,
  where: string,
  fallback: NonNullable<SourcedCalls["fallback"]>,
): SourcedCalls {
  return { owner, members: members.split(" "), source: "inferred", where, fallback };
}
