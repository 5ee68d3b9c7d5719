/**
 * What a column is called at its head, in small letters and without accents, by what the column holds; names are parted by bars.
 * In the order of English, German, French, Spanish, Italian, Portuguese, Dutch, Polish and Japanese.
 */
export const HEAD_WORDS = {
  id:
    "id|cue|cue id|number|no|nr|#|index|event|line number|line no|line|cue no|cue number|cue #|ad no|n°|nº|nummer|lfd nr|lfd. nr|numero|num|n|n.º|n.°|" +
    "numer|lp|l.p|番号|№",
  start:
    "start|in|begin|start time|time in|timecode in|tc in|in point|start tc|time|timecode|tc|record in|rec in|from|timestamp|in time|tcr in|in cue time|" +
    "in timecode|cue in|start timecode|anfang|beginn|startzeit|start zeit|zeit|von|ein|tc ein|tc start|timecode ein|einsatz|debut|entree|tc entree|tc debut|" +
    "de|heure de debut|timecode entree|inicio|entrada|tc entrada|tc inicio|desde|tiempo|hora de inicio|inizio|ingresso|tc inizio|tc ingresso|da|tempo|" +
    "tempo inizio|tempo inicial|tc inicial|begintijd|starttijd|van|tijd|tc begin|poczatek|wejscie|czas|od|tc wejscia|tc poczatek|start czas|" +
    "開始|開始時間|開始時刻|イン|時間|タイムコード|タイムコードイン",
  end:
    "end|out|stop|end time|time out|timecode out|tc out|out point|end tc|record out|rec out|to|out time|tcr out|out timecode|cue out|end timecode|" +
    "ende|endzeit|bis|aus|tc aus|tc ende|timecode aus|fin|sortie|tc sortie|tc fin|a|heure de fin|timecode sortie|final|salida|tc salida|tc final|hasta|" +
    "fine|uscita|tc fine|tc uscita|tempo fine|fim|saida|tc fim|tc saida|ate|tempo final|einde|eindtijd|eind|tot|tc einde|tc uit|koniec|wyjscie|do|tc wyjscia|" +
    "tc koniec|終了|終了時間|終了時刻|アウト|タイムコードアウト",
  duration:
    "duration|length|dur|len|dauer|lange|laufzeit|duree|longueur|duracion|durata|lunghezza|duracao|duur|lengte|czas trwania|dlugosc|trwanie|尺|長さ|継続時間|再生時間",
  hours: "hour|hours|h|hh|hrs|std|stunden|heures|horas|ore|uren|godz|時",
  minutes: "min|mins|minute|minutes|mm|m|minuten|minutos|minuti|minuty|分",
  seconds: "sec|secs|second|seconds|ss|s|sek|sekunden|secondes|segundos|secondi|seconden|sekundy|秒",
  text:
    "audio description|description|descriptions|ad|ad text|script|narration|text|transcript|description text|audio description script|ad script|ad line|" +
    "beschreibung|bildbeschreibung|audiodeskription|sprechertext|texte|audiodescription|texte ad|description audio|narracion|descripcion|texto|guion|" +
    "audiodescripcion|texto ad|descrizione|testo|audiodescrizione|narrazione|testo ad|descricao|audiodescricao|narracao|roteiro|beschrijving|tekst|" +
    "audiodescriptie|audiobeschrijving|opis|audiodeskrypcja|tekst ad|説明|ナレーション|テキスト|音声解説|本文|原稿|解説",
  aside:
    "caption|captions|subtitle|subtitles|comment|comments|note|notes|marker comment|remark|remarks|bemerkung|bemerkungen|anmerkung|anmerkungen|notiz|notizen|" +
    "kommentar|untertitel|remarque|remarques|commentaire|commentaires|sous titre|notas|nota|comentario|comentarios|observaciones|subtitulo|osservazioni|" +
    "commento|commenti|sottotitolo|observacoes|observacao|legenda|opmerking|opmerkingen|notities|ondertitel|uwagi|uwaga|komentarz|napisy|備考|メモ|注釈|字幕",
  dialogue:
    "cue line|in cue|stichwort|vorlauf|derniere replique|replique|replica|ultima battuta|deixa|claus|laatste zin|kwestia|きっかけ",
  name: "marker name|name|title|marker|clip name|titel|titre|titulo|titolo|nazwa|名前|タイトル",
  file:
    "file|file name|filename|file path|path|source path|source file|clip|clip directory|directory|folder|shot|reel|roll|tape|soundroll|datei|dateiname|pfad|" +
    "fichier|chemin|archivo|ruta|percorso|arquivo|caminho|bestand|pad|plik|sciezka|ファイル|ファイル名|パス",
  detail:
    "marker type|type|time format|color|colour|keywords|track|tracks|track name|voice|speaker|character|language|codec|video codec|audio codec|resolution|marker keywords|frame rate|" +
    "fps|size|sprecher|stimme|farbe|spur|locuteur|voix|couleur|voz|colore|voce|stem|kleur|glos|kolor|話者|声",
  direction: "speed|on screen note|pace|delivery|reading speed|words|max words|status|tempo sprechen",
} as const satisfies Readonly<Record<string, string>>;

/** Any title with one of these in it is of dialogue, or says by which line of it a description is placed. */
export const DIALOGUE_WORDS = "dialog|dialogue|dialogo|dialoog|replique|battuta|台詞|セリフ|せりふ|ダイアログ";

/** Any title with one of these in it is of descriptions. */
export const DESCRIPTION_WORDS =
  "audio description|audiodescription|audiodeskription|audiodescripcion|audiodescrizione|audiodescricao|audiodescriptie|audiodeskrypcja|音声解説";

/** Units behind the title of a column, or in its brackets. */
export const UNIT_WORDS = {
  milliseconds:
    "ms|msec|millis|millisecond|milliseconds|millisekunden|millisecondes|milisegundos|millisecondi|milliseconden|milisekundy|ミリ秒",
  seconds: "s|sec|secs|second|seconds|sek|sekunde|sekunden|secondes|segundos|secondi|seconden|sekundy|sekund|秒",
  frames: "frame|frames|fr|f|bilder|einzelbilder|images|fotogramas|quadros|fotogrammi|beelden|klatki|フレーム|コマ",
} as const;

/** Titles that no list of descriptions has, by the kind of list that has them: all of one row are there. */
export const OTHER_LISTS: readonly { readonly titles: readonly string[]; readonly what: string }[] = [
  { titles: ["composer"], what: "a music cue sheet, which names music and describes no picture" },
  { titles: ["publisher", "title"], what: "a music cue sheet, which names music and describes no picture" },
  { titles: ["komponist"], what: "a music cue sheet, which names music and describes no picture" },
  { titles: ["compositeur"], what: "a music cue sheet, which names music and describes no picture" },
  { titles: ["take", "scene"], what: "a list of takes, with remarks on their recording" },
  { titles: ["take", "file name"], what: "a list of takes, with remarks on their recording" },
  { titles: ["take", "roll"], what: "a list of takes, with remarks on their recording" },
];
