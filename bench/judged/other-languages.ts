import { linesOf, parseQuestions, splitOnce } from './judged-lines.ts';

export interface Note {
  readonly id: string;
  readonly text: string;
}

const notesOf = (text: string): readonly Note[] =>
  linesOf(text).map((line) => {
    const [id, note] = splitOnce(line, ' | ');
    return { id, text: note };
  });

export const germanNotes = notesOf(`
de-1 | Die Krankenversicherung hat den Antrag abgelehnt, Widerspruch bis zum 14. März einlegen.
de-2 | Haustürschlüssel liegt bei Frau Schröder im zweiten Stock.
de-3 | Der Kühlschrank wurde am Dienstag geliefert und brummt lauter als der alte.
de-4 | Für das Straßenfest backen wir drei Bleche Zwiebelkuchen.
de-5 | Die Heizungsanlage wird jedes Jahr im September gewartet.
de-6 | Müllabfuhr: Papier am ersten Montag, Bioabfall jede Woche.
de-7 | Großmutter feiert ihren neunzigsten Geburtstag im Gasthof zur Linde.
de-8 | Passwort für den Drucker im Büro steht auf der Rückseite des Geräts.
de-9 | Die Kündigungsfrist der Wohnung beträgt drei Monate.
de-10 | Der Zahnarzt empfiehlt eine neue Füllung oben links.
de-11 | Im Schrebergarten müssen die Apfelbäume vor dem Frost geschnitten werden.
de-12 | Bahncard verlängert sich automatisch, wenn man nicht sechs Wochen vorher schreibt.
de-13 | Die Kinder schwimmen donnerstags im Hallenbad, Badekappen nicht vergessen.
de-14 | Der Vermieter hat die Nebenkostenabrechnung für 2025 geschickt, Nachzahlung 214 Euro.
de-15 | Beim Umzug sind zwei Gläser und der Spiegel zerbrochen.
de-16 | Die Mäuse im Keller haben das Vogelfutter gefressen.
de-17 | Elternabend am 22. Oktober um 19 Uhr in der Aula.
de-18 | Das Fahrrad braucht neue Bremsbeläge und eine Kette.
de-19 | Die Ärztin verschrieb Tabletten gegen Bluthochdruck, morgens eine halbe.
de-20 | Unser Reisepass läuft im Juni ab, Termin beim Bürgeramt machen.
de-21 | Die Nachbarn gießen im Urlaub unsere Blumen und leeren den Briefkasten.
de-22 | Das Rezept für Omas Pflaumenmus: fünf Kilo Zwetschgen, ein Kilo Zucker, über Nacht ziehen lassen.
de-23 | Der Hund verträgt kein Rindfleisch, nur Ente und Kartoffeln.
de-24 | Wir haben den Stromanbieter gewechselt, der neue Vertrag beginnt am 1. April.
de-25 | Die Waschmaschine verliert Wasser an der Türdichtung.
de-26 | Herr Yıldız repariert Schuhe und macht auch Zweitschlüssel.
de-27 | Steuererklärung: Belege für das Arbeitszimmer und die Fahrtkosten sammeln.
de-28 | Die Führerscheinprüfung kostet 129 Euro und dauert 55 Minuten.
de-29 | Der Chor probt die Weihnachtslieder ab November in der Kirche.
de-30 | Löwenzahn lässt sich am besten nach dem Regen ausstechen.
de-31 | Die Geschwindigkeit des Internets bricht abends auf zehn Megabit ein.
de-32 | Jonas ist gegen Haselnüsse allergisch, das Notfallset hängt an der Küchentür.
de-33 | Die Rückgabe der Bücher in der Stadtbibliothek ist auch nachts am Automaten möglich.
de-34 | Am Südufer des Sees darf man grillen, am Nordufer nicht.
de-35 | Der Tischler misst am Freitag die Fenster aus.
de-36 | Zum Frühstück gab es im Hotel nur Brötchen und Marmelade.
de-37 | Das Gewächshaus muss im Winter gelüftet werden, sonst schimmelt alles.
de-38 | Die Versammlung der Eigentümer beschloss ein neues Dach für 84000 Euro.
de-39 | Meine Schwester zieht nach Köln, weil sie dort eine Stelle als Hebamme gefunden hat.
de-40 | Der Flug nach Málaga wurde um vier Stunden verschoben.
de-41 | Rauchmelder piept: Batterie vom Typ CR123 kaufen.
de-42 | Für den Kindergarten brauchen wir Gummistiefel, Größe 27, und eine Matschhose.
de-43 | Die Aufführung des Schultheaters fiel wegen Krankheit aus.
de-44 | Der Impfausweis liegt in der oberen Schublade des Schreibtischs.
de-45 | Wir wandern im Sommer von Hütte zu Hütte, Schlafsäcke aus Seide mitnehmen.
de-46 | Das Klavier wird zweimal im Jahr gestimmt, zuletzt im Februar.
de-47 | Die Überweisung an den Handwerker ist noch offen, 630 Euro.
de-48 | Auf dem Dachboden stehen die Kisten mit den Fotoalben von Opa.
de-49 | Der Bäcker an der Ecke schließt im August für drei Wochen.
de-50 | Die Katze kratzt am Sofa, seit der Kratzbaum im Flur steht.
de-51 | Das Auto muss im Mai zur Hauptuntersuchung, die Reifen sind abgefahren.
de-52 | Unsere Hausratversicherung zahlt bei Fahrraddiebstahl bis 1500 Euro.
de-53 | Der Pilzkurs lehrt, Steinpilze von Gallenröhrlingen zu unterscheiden.
de-54 | Die Handwerkskammer vermittelt Schlichter bei Streit mit Firmen.
de-55 | Das Konzert in der Elbphilharmonie ist ausverkauft, Restkarten an der Abendkasse.
de-56 | Der Wecker klingelt werktags um 5:45 Uhr, samstags gar nicht.
de-57 | Zur Hochzeit schenken wir ein Wochenende auf Rügen.
de-58 | Die Fußballmannschaft trainiert auf dem Kunstrasen hinter dem Bahnhof.
de-59 | Im Sprachkurs lernen wir gerade den Konjunktiv.
de-60 | Die Spülmaschine zeigt Fehler E24: Abfluss verstopft, Sieb reinigen.
`);

export const germanQuestions = parseQuestions(`
Bis wann kann ich der Krankenkasse widersprechen? | de-1
Wer hat unsere Schlüssel? | de-2
Wann wird die Heizung gewartet? | de-5
An welchem Tag wird das Papier abgeholt? | de-6
Wie lange vorher muss ich die Wohnung kündigen? | de-9
Apfelbaum schneiden | de-11
Wieviel müssen wir dem Vermieter nachzahlen? | de-14
Was ist beim Umziehen kaputtgegangen? | de-15
Maus im Keller | de-16
Medikament gegen hohen Blutdruck | de-19
Wann laufen die Reisepässe ab? | de-20
Wer gießt die Pflanzen, wenn wir verreist sind? | de-21
Pflaumenmus Zutaten | de-22
Welches Fleisch darf der Hund nicht fressen? | de-23
Ab wann gilt der Stromvertrag? | de-24
Undichte Waschmaschine | de-25
Allergie gegen Nüsse | de-32
Wo kann man am See grillen? | de-34
Was kostet das neue Dach? | de-38
Warum geht die Schwester nach Koeln? | de-39
Flug nach Malaga verspätet | de-40
Welche Schuhgröße hat das Kind im Kindergarten? | de-42
Versicherung für gestohlene Fahrräder | de-52
Wann schliesst die Bäckerei? | de-49
Fehlercode der Spülmaschine | de-60
`);

export const japaneseNotes = notesOf(`
ja-1 | 歯医者の予約は来週の木曜日、午後三時半です。
ja-2 | 引っ越しの見積もりは十二万円でした。荷物は段ボール四十箱。
ja-3 | 祖母の誕生日に抹茶のケーキを焼く。卵は使わないこと。
ja-4 | 冷蔵庫の修理は保証期間内なので無料だった。
ja-5 | 東京駅の忘れ物センターに傘を取りに行く。
ja-6 | 猫の薬は朝と夜、一日二回飲ませる。
ja-7 | 会議室のプロジェクターはHDMIケーブルが壊れている。
ja-8 | 京都旅行では清水寺の近くの旅館に二泊する。
ja-9 | ゴミの日は、燃えるゴミが火曜と金曜、プラスチックが水曜日。
ja-10 | 弟は四月から大阪の小学校で教えることになった。
ja-11 | パスポートの更新には写真が一枚と六千円の手数料が必要。
ja-12 | ピアノの発表会は十一月三日、市民ホールで行われる。
ja-13 | 味噌汁のだしは昆布と鰹節でとる。
ja-14 | 自転車のタイヤがパンクしたので駅前の店に預けた。
ja-15 | 保育園の運動会は雨のため来週に延期された。
ja-16 | 新しいパソコンのメモリは三十二ギガバイトにした。
ja-17 | 台風で電車が止まり、帰宅するのに五時間かかった。
ja-18 | 図書館で借りた本は二十日までに返さなければならない。
ja-19 | 健康診断の結果、血圧が少し高めと言われた。
ja-20 | 隣の田中さんから柿をたくさんいただいた。
ja-21 | 家賃の引き落としは毎月二十七日。
ja-22 | 娘はえびとかにのアレルギーがある。
ja-23 | 日本語能力試験の申し込みは八月末が締め切り。
ja-24 | 庭の紫陽花は花が終わったらすぐに剪定する。
ja-25 | 新幹線の切符は一か月前の午前十時から発売される。
ja-26 | 電気料金が先月より三割も上がった。
ja-27 | 温泉の露天風呂は夜十一時に閉まる。
ja-28 | 車検の費用は部品代を含めて九万八千円だった。
ja-29 | 父は定年後に陶芸を始めて、茶碗ばかり作っている。
ja-30 | 友人の結婚式に着ていく着物を母から借りる。
ja-31 | 洗濯機の排水ホースから水が漏れている。
ja-32 | 山田部長は来月シンガポールに転勤する。
ja-33 | 英会話のレッスンは月曜の夜、先生はカナダ人。
ja-34 | 梅干しを漬けるときの塩は梅の重さの十八パーセント。
ja-35 | マラソン大会の受付は朝七時から、ゼッケンを忘れずに。
ja-36 | 銀行の窓口は午後三時に閉まるが、ATMは夜九時まで使える。
ja-37 | 犬の散歩は暑い日は日が沈んでから行く。
ja-38 | 北海道で食べたジンギスカンが忘れられない。
ja-39 | ベランダのトマトに毎朝水をやる。
ja-40 | 確定申告の書類は医療費の領収書も一緒に提出する。
ja-41 | ホテルの朝食は六時半から、和食と洋食が選べる。
ja-42 | サーバーのバックアップは毎晩二時に自動で実行される。
ja-43 | 息子のサッカーの試合は二対一で勝った。
ja-44 | 火災報知器の電池を年に一度交換する。
ja-45 | 花火大会の場所取りは昼過ぎには始まっている。
ja-46 | 叔父は長野でりんご農園を営んでいる。
ja-47 | スマートフォンの画面を割ってしまい、修理に二万円かかった。
ja-48 | 映画館の会員は水曜日に千二百円で見られる。
ja-49 | お正月のおせち料理は十二月十日までに注文する。
ja-50 | 地震に備えて水を二十リットル備蓄している。
ja-51 | 眼鏡の度が合わなくなったので眼科で検査を受けた。
ja-52 | 祖父の畑では大根と白菜がよくとれる。
ja-53 | 空港までのリムジンバスは一時間に二本しかない。
ja-54 | 書道の先生に筆の持ち方を直された。
ja-55 | 納品が遅れた原因は部品の在庫不足だった。
ja-56 | 風邪をひいたときは生姜湯を飲むことにしている。
ja-57 | マンションの駐車場は一台分空きが出た。
ja-58 | 妹は看護師になるために専門学校に通っている。
ja-59 | 富士山の山小屋は七月一日から予約を受け付ける。
ja-60 | 請求書の宛名が間違っていたので再発行を頼んだ。
`);

export const japaneseQuestions = parseQuestions(`
歯医者はいつですか | ja-1
引越しの費用はいくら | ja-2
卵を使わないケーキ | ja-3
忘れた傘はどこにある | ja-5
猫に薬を一日何回あげるか | ja-6
京都ではどこに泊まる | ja-8
プラごみは何曜日 | ja-9
弟の新しい仕事 | ja-10
パスポート更新の手数料 | ja-11
みそ汁の出汁のとり方 | ja-13
パンクした自転車 | ja-14
運動会が延期になった理由 | ja-15
本の返却期限 | ja-18
甲殻類アレルギー | ja-22
アジサイの剪定時期 | ja-24
新幹線のチケットはいつから買える | ja-25
電気代の値上がり | ja-26
露天風呂は何時まで | ja-27
定年退職後の父の趣味 | ja-29
洗濯機の水漏れ | ja-31
梅干しの塩分 | ja-34
銀行は何時に閉まりますか | ja-36
サーバのバックアップの時刻 | ja-42
携帯の画面の修理代 | ja-47
災害用の水の備え | ja-50
`);
