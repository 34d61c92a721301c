/**
 * Plain commands about the conversation in the languages that the rules beside do not speak, as `utterance` writes them:
 * lower case, no accents, no apostrophes. Each pattern is all that was said.
 */

export interface Commands {
  readonly repeat: readonly string[];
  readonly slower: readonly string[];
  readonly source: readonly string[];
  /** The last answer in another form, or small talk. */
  readonly restate: readonly string[];
  /** A yes, a no, a stop to what was said last. */
  readonly answer: readonly string[];
  /** On with what was said last. */
  readonly onward: readonly string[];
  /** What is said before and after what is meant. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const french: Commands = {
  repeat: [
    "(?:repete[rz]?|redis|redites|redire)(?: (?:le|la|ca|cela|moi ca|la reponse|encore|encore une fois|une fois de plus))*",
    "(?:encore|encore une fois|une fois de plus|comment|quoi|hein|pardon)",
    "je n ai (?:pas|rien) (?:compris|entendu|capte)(?: (?:ca|cela|la fin))?",
    "(?:qu est ce que|qu as|qu avez)(?: (?:tu|vous))?(?: (?:as|avez))? dit",
  ],
  slower: [
    "(?:(?:parle|parlez|repete|repetez|redis|redites|dis|dites)(?: (?:le|ca|cela|moi ca|encore une fois))* )?(?:un peu )?(?:plus lentement|moins vite)",
    "(?:c est |tu parles |vous parlez )?trop (?:vite|rapide)",
  ],
  source: [
    "(?:quelle est |donne(?:z)?(?: moi)? |cite(?:z)? )?(?:la |ta |votre )?source",
    "d ou (?:ca vient|vient (?:ca|cela)|cela vient|(?:tu|vous) (?:sors|sortez|tiens|tenez|sais|savez) (?:ca|cela))",
    "ou (?:est ce|c est) (?:que c est )?(?:ecrit|marque)(?: (?:ca|cela))?",
    "(?:de |dans |a |c est (?:dans|a) )?(?:quel|quelle) (?:document|manuel|page|section)(?: (?:dit|est ce|c est)(?: (?:ca|cela))?)?",
    "qui (?:le )?dit(?: (?:ca|cela))?|comment le sa(?:is tu|vez vous)|comment (?:tu|vous) le sa(?:is|vez)",
  ],
  restate: [
    "(?:plus (?:court|simple|simplement|clair|clairement|brievement)|en (?:bref|resume|d autres mots|d autres termes)|autrement dit|resume(?:z)?(?: (?:ca|cela|la reponse))?|raccourcis(?: (?:ca|cela))?)",
    "(?:traduis|traduisez|dis|dites|repete|repetez)(?: (?:le|ca|cela))? en (?:francais|anglais|espagnol|allemand|polonais|ukrainien|italien|portugais|arabe)|en (?:francais|anglais|espagnol|allemand|polonais|ukrainien)",
    "(?:que veux tu|que voulez vous|qu est ce que tu veux|qu est ce que vous voulez) dire|qu est ce que (?:ca|cela) (?:veut dire|signifie)|(?:ca|cela) veut dire quoi|je ne comprends pas",
    "(?:mille |grand )?merci(?: (?:beaucoup|bien|a toi|a vous|pour (?:ca|tout|l aide)))*",
    "(?:bonjour|bonsoir|salut|coucou|au revoir|a bientot|a plus tard|bonne (?:journee|soiree|nuit)|adieu)",
  ],
  answer: [
    "oui|non|si|d accord|exact|c est ca|vas y|allez y|fais le|faites le",
    "stop|arrete|arretez|arrete toi|arretez vous|annule|annulez|laisse|laissez|(?:laisse|laissez) tomber|oublie|oubliez|tais toi|taisez vous|attends|attendez|une minute|pas maintenant|pas encore|ca suffit|c est bon",
  ],
  onward: [
    "continue[rz]?|poursuis|poursuivez|(?:et )?(?:la )?suite|et (?:apres|ensuite|puis)|ensuite|plus de details|encore plus",
  ],
  before: [
    "s il (?:te|vous) plait|excusez moi|excuse moi|bonjour|salut|alors|euh|et|(?:est ce que )?(?:tu peux|vous pouvez|tu pourrais|vous pourriez)|peux tu|pouvez vous|pourrais tu|pourriez vous|dis moi|dites moi",
  ],
  after: ["s il (?:te|vous) plait|svp|stp|merci"],
};

const german: Commands = {
  repeat: [
    "(?:wiederhol(?:e|en)?(?: sie)?|sag(?:e|en)?(?: sie)?)(?: (?:das|es|mir|die antwort|die letzte antwort|bitte))* ?(?:noch ?mal|noch ?einmal|nochmals|wieder)",
    "wiederhol(?:e|en)?(?: sie)?(?: (?:das|es|die antwort|die letzte antwort|bitte|mal))*|(?:das|es) wiederholen",
    "(?:noch ?mal|noch ?einmal|nochmals)(?: sagen)?|(?:das|es) (?:noch ?mal|noch ?einmal) sagen|wie|wie bitte|wie war das|was war das",
    "(?:(?:das|es) habe ich |ich habe )?(?:(?:das|sie|dich|es) )?(?:akustisch )?nicht (?:verstanden|gehort|mitbekommen|mitgekriegt)",
    "was (?:hast du|haben sie)(?: (?:gerade|eben))? gesagt",
  ],
  slower: [
    "(?:(?:sprich|sprechen sie|rede|reden sie|sag|sage|sagen sie|wiederhole?|wiederholen sie)(?: (?:das|es|noch ?mal|noch ?einmal|bitte))* )?(?:(?:ein )?(?:bisschen|wenig|etwas) )?langsamer(?: (?:sprechen|sagen|wiederholen))?",
    "(?:noch ?mal|noch ?einmal) langsamer|langsam",
    "(?:das (?:ist|war|geht|ging)(?: mir)? |du (?:sprichst|redest) |sie (?:sprechen|reden) )?(?:mir )?(?:viel )?zu schnell",
  ],
  source: [
    "(?:was ist |wie ist |nenne?(?: mir)? |nennen sie(?: mir)? )?(?:die |deine |ihre )?quelle(?: (?:dafur|davon))?",
    "woher (?:weißt du|wissen sie|hast du|haben sie|kommt|stammt|kommen|stammen) (?:das|es|die information)",
    "wo steht (?:das|es)(?: (?:geschrieben|so))?",
    "(?:aus |in |auf )?welche[mrs]? (?:dokument|handbuch|abschnitt|seite|unterlage|anweisung|quelle)(?: (?:steht|sagt|ist|stammt|kommt) (?:das|es))?",
    "wer sagt (?:das|so etwas)|laut wem",
  ],
  restate: [
    "(?:kurzer|einfacher|deutlicher|kurz gesagt|in kurze|kurz|mit anderen worten|anders gesagt|fass(?:e|en)?(?: sie)?(?: (?:das|es))? zusammen|zusammenfassung|zu lang|zu kompliziert)",
    "(?:ubersetze?|ubersetzen sie|sag|sage|sagen sie|wiederhole?)(?: (?:das|es|mir))*(?: (?:auf|in|ins))? (?:deutsch|englisch|spanisch|franzosisch|polnisch|ukrainisch|italienisch|portugiesisch|turkisch|arabisch)|auf (?:deutsch|englisch|spanisch|franzosisch|polnisch|ukrainisch|turkisch)|(?:ubersetze?|ubersetzen sie)(?: (?:das|es))?",
    "was (?:meinst du|meinen sie|heißt das|bedeutet das|soll das heißen)(?: damit| genau)*|(?:ich )?verstehe (?:ich )?(?:das )?nicht|wie meinst du das|wie meinen sie das",
    "(?:vielen |besten |herzlichen |schonen )?dank(?:e)?(?: (?:schon|sehr|dir|ihnen|dafur|fur (?:die|deine|ihre) hilfe))*|dankeschon|alles klar danke",
    "(?:hallo|moin(?: moin)?|servus|gruß gott|guten (?:morgen|tag|abend)|tschuss|tschau|ciao|auf wieder(?:sehen|horen)|bis (?:spater|dann|morgen|bald)|gute nacht|schonen (?:tag|abend|feierabend)(?: noch)?)",
  ],
  answer: [
    "ja|jawohl|nein|ne|genau|richtig|stimmt|klar|mach das|machen sie das|ja bitte|nein danke",
    "stopp?|halt|aufhoren|hor auf|horen sie auf|abbrechen|abbruch|brich ab|brechen sie ab|sei still|ruhe|warte|warten sie|moment|einen moment|vergiss es|vergessen sie es|lass(?:en sie)? (?:es|das)|schon gut|egal|nicht jetzt|noch nicht|es reicht|das reicht|genug",
  ],
  onward: [
    "weiter|weiter bitte|weiter(?:machen|lesen|sprechen)|(?:mach|lies|sprich|geh) weiter|(?:machen|lesen|sprechen) sie weiter|und (?:dann|weiter)|wie (?:geht es|gehts) weiter|mehr|mehr davon|fahre? fort|fahren sie fort",
  ],
  before: [
    "bitte|entschuldigung|entschuldigen sie|verzeihung|hallo|kannst du|konnen sie|konntest du|konnten sie|wurdest du|wurden sie|kannst du mir|konnen sie mir|sag mal|ahm|und",
  ],
  after: ["bitte|danke|danke schon"],
};

const polish: Commands = {
  repeat: [
    "(?:powtorz|powtorzyc|powtorzcie|powtarzaj)(?: (?:to|mi|jeszcze raz|odpowiedz|ostatnia odpowiedz|ostatnie))*",
    "(?:powiedz|powiedziec)(?: (?:to|mi))* jeszcze raz|jeszcze raz|słucham|ze co|jak",
    "nie (?:zrozumiałem|zrozumiałam|usłyszałem|usłyszałam|dosłyszałem|dosłyszałam|rozumiem co mowisz)(?: (?:tego|cie|pana|pani))?",
    "co (?:powiedziałes|powiedziałas|mowisz|mowiłes|mowiłas)",
  ],
  slower: [
    "(?:(?:mow|mowic|powiedz|powiedziec|powtorz|powtorzyc|czytaj)(?: (?:to|mi|jeszcze raz))* )?(?:troche )?wolniej",
    "(?:mowisz |to było )?(?:za|zbyt) szybko",
  ],
  source: [
    "(?:podaj |jakie (?:jest|to) |wskaz )?(?:swoje )?zrodło",
    "skad (?:(?:to )?wiesz|to (?:masz|wiadomo|pochodzi|jest)|to|masz to|to wiesz)",
    "gdzie (?:to )?(?:jest )?(?:to )?(?:napisane|zapisane)|gdzie to (?:jest|stoi)",
    "(?:w|z) (?:ktorym|jakim|ktorego|jakiego) (?:dokumencie|dokumentu|podreczniku|instrukcji|rozdziale)(?: (?:to )?(?:jest|pochodzi))?|na (?:ktorej|jakiej) stronie(?: (?:to )?jest)?",
    "kto (?:to |tak )?(?:mowi|powiedział)",
  ],
  restate: [
    "(?:krocej|prosciej|jasniej|w skrocie|krotko|innymi słowami|podsumuj(?: to)?|stresc(?: to)?|podsumowanie|za długie|za długo)",
    "(?:przetłumacz|przełoz|powiedz|powtorz)(?: (?:to|mi))?(?: (?:na|po))? (?:angielsku|polsku|niemiecku|hiszpansku|francusku|ukrainsku|angielski|polski|niemiecki|hiszpanski|francuski|ukrainski)|po (?:angielsku|polsku|niemiecku|hiszpansku|francusku|ukrainsku)|(?:przetłumacz|przełoz)(?: to)?",
    "co (?:to|masz przez to) (?:znaczy|oznacza|na mysli)|co masz na mysli|nie rozumiem",
    "(?:bardzo |serdecznie )?(?:dziekuje|dziekuj|dzieki)(?: (?:bardzo|wielkie|ci|za pomoc))*",
    "(?:czesc|hej|witam|witaj|dzien dobry|dobry wieczor|do widzenia|do usłyszenia|na razie|pa|dobranoc|do zobaczenia|miłego dnia)",
  ],
  answer: [
    "tak|nie|dobrze|zgoda|zgadza sie|jasne|pewnie|dokładnie|zrob to",
    "stop|stoj|zatrzymaj(?: sie)?|przestan|przerwij|anuluj|cisza|cicho|czekaj|poczekaj|zaczekaj|chwila|chwileczke|moment|niewazne|zapomnij|zostaw|nie teraz|jeszcze nie|dosc|wystarczy",
  ],
  onward: [
    "dalej|kontynuuj|(?:mow|czytaj|idz) dalej|(?:i )?co (?:dalej|potem)|i co|a potem|wiecej|powiedz wiecej",
  ],
  before: [
    "prosze(?: o)?|przepraszam|hej|czesc|dzien dobry|wiec|(?:czy )?(?:mozesz|mozecie|moglbys|mogłbys|mogłabys)(?: mi)?|czy (?:moze|mogłby|mogłaby) (?:pan|pani)|powiedz mi",
  ],
  after: ["prosze|dzieki|dziekuje"],
};

const ukrainian: Commands = {
  repeat: [
    "(?:повтори|повторіть|повторити|повтори но)(?: (?:це|мені|ще раз|відповідь|останнє))*",
    "(?:скажи|скажіть)(?: (?:це|мені))* ще раз|ще раз|що|перепрошую|не зрозумів що",
    "(?:я )?(?:не|нічого не) (?:почув|почула|розчув|розчула|зрозумів|зрозуміла|дочув|дочула)(?: (?:тебе|вас|це))?",
    "що ти (?:сказав|сказала)|що ви сказали",
  ],
  slower: [
    "(?:(?:говори|говоріть|скажи|скажіть|повтори|повторіть|читаи|читаите)(?: (?:це|мені|ще раз))* )?(?:трохи )?повільніше",
    "(?:ти говориш |ви говорите )?(?:занадто|надто|дуже) швидко|зашвидко",
  ],
  source: [
    "(?:яке |назви |назвіть )?джерело",
    "звідки (?:(?:ти|ви) (?:це )?(?:знаєш|знаєте|взяв|взяла|взяли)|це|ця інформація|(?:ти |ви )?це (?:взяв|взяла|взяли))",
    "де (?:це )?(?:написано|сказано|записано)(?: це)?",
    "(?:у|в|з) (?:якому|якого) (?:документі|документа|розділі|посібнику)(?: це)?|на якіи сторінці(?: це)?|якии документ",
    "хто (?:це|так) (?:каже|сказав)",
  ],
  restate: [
    "(?:коротше|простіше|ясніше|коротко|стисло|іншими словами|підсумуи(?: це)?|підсумуите|підсумок|задовго|надто довго)",
    "(?:переклади|перекладіть|скажи|скажіть|повтори|повторіть)(?: (?:це|мені))? (?:англіиською|українською|польською|німецькою|іспанською|французькою|на англіиську|на українську|на польську|на німецьку)|(?:англіиською|українською|польською|німецькою|іспанською|французькою)|(?:переклади|перекладіть)(?: це)?",
    "що це (?:означає|значить)|що (?:ти маєш|ви маєте) на увазі|(?:я )?не розумію",
    "(?:дуже |щиро |велике )?(?:дякую|спасибі)(?: (?:дуже|тобі|вам|за (?:це|допомогу)))*",
    "(?:привіт|вітаю|добрии (?:день|ранок|вечір)|доброго (?:дня|ранку|вечора)|до побачення|буваи|бувайте|до зустрічі|на добраніч|гарного дня)",
  ],
  answer: [
    "так|ні|добре|гаразд|згоден|згодна|правильно|зроби це|зробіть це",
    "стоп|стіи|зупинись|зупиніться|зупини|припини|припиніть|перестань|досить|годі|тихо|тиша|почекаи|почекаите|зачекаи|зачекаите|хвилинку|скасуи|скасуите|неважливо|забудь|забудьте|не зараз|ще ні",
  ],
  onward: [
    "далі|продовжуи|продовжуите|продовжити|(?:і |а )?що далі|а далі|і далі|а потім|більше|розкажи більше",
  ],
  before: [
    "будь ласка|перепрошую|вибач|вибачте|привіт|ну|а|(?:чи )?(?:можеш|можете|могли б ви|міг би ти)|скажи мені|скажіть мені",
  ],
  after: ["будь ласка|дякую"],
};

/** All that is said for one purpose. */
export function commandsOf(purpose: keyof Commands): readonly string[] {
  return [french, german, polish, ukrainian].flatMap((commands) => commands[purpose]);
}
