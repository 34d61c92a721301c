/**
 * What people say first to a voice that they do not know: who it is, what it can do, whether it hears them, a test.
 * Each pattern is all that was said in one clause, normalized.
 */
import { whole } from "./replay.js";
import { isCourtesy, type Utterance, utterance } from "./utterance.js";

/** Clauses that are looked at; who says more says something else as well. */
const CLAUSES_MAX = 4;

/** Whether a message wants the assistant to introduce itself, and nothing else but courtesy. */
export function isFirstWords(message: string): boolean {
  if (isOne(utterance(message))) return true;
  const clauses = message.split(/[.,:;!?\n]/).filter((clause) => clause.trim() !== "");
  if (clauses.length > CLAUSES_MAX) return false;
  const rest = clauses.map(utterance).filter(({ text }) => !isCourtesy(text));
  return rest.length > 0 && rest.every(isOne);
}

function isOne({ core, text }: Utterance): boolean {
  return FIRST_WORDS.test(core) || FIRST_WORDS.test(text);
}

const ENGLISH = [
  "(?:who|what) (?:are|r) (?:you|u)(?: (?:then|exactly|anyway|really))?|what is your name|who (?:is|am i (?:talking|speaking) (?:to|with))(?: (?:this|there|that))?|who is (?:this|there|that|speaking|talking)|(?:are you|is (?:this|that|it)) (?:a |an )?(?:real )?(?:robot|bot|human|person|computer|machine|real|ai)|what is (?:this thing|readback)",
  "what (?:all )?(?:can|do) you (?:do|know|help(?: me)? with|answer)(?: (?:for (?:me|us)|exactly|then|here))?|what (?:can|could|should|may) i (?:ask|say)(?: (?:you|here|to you))?|how (?:do|can) (?:i|you) (?:use (?:you|this thing)|work|talk to you)|how does this(?: thing)? work|what are you (?:for|good for|able to do)|what is this thing for|help menu|show help",
  "(?:(?:this is )?(?:a |just a |only a )?(?:mic |microphone |radio |voice |sound )?(?:test|tests|testing|tester)(?: (?:test|testing|one|two|three|four|1|2|3|4|12|123|message|this|that|the|mic|microphone|radio))*|check(?: (?:check|one|two|three|1|2|3))+|one two(?: three)?(?: four)?)",
  "(?:can|do|could) (?:you|anyone|anybody|someone|somebody) (?:hear|read|copy|receive|see) (?:me|this|us)(?: (?:now|ok|okay|at all|there))?|(?:is )?(?:anyone|anybody|someone|somebody) (?:there|here|on|listening|home|out there)|(?:are )?you (?:there|on|listening|awake|still there|working|alive)|(?:does|is) (?:this|this thing) (?:on|work|working)|radio check|how do you read(?: me)?|do you (?:copy|read)(?: me)?",
];

const GERMAN = [
  "wer (?:bist du|sind sie|ist da|spricht da|ist dort)(?: (?:denn|eigentlich|uberhaupt))?|was bist du(?: (?:denn|eigentlich))?|was sind sie(?: denn)?|wie (?:heißt|heisst) du|wie (?:heißen|heissen) sie|(?:mit wem|zu wem) (?:spreche|rede) ich(?: (?:da|hier|gerade|eigentlich))*",
  "was (?:kannst du|konnen sie|weißt du|wissen sie)(?: (?:alles|denn|so|eigentlich|fur mich|fur mich tun|tun|machen))*|was (?:kann|darf|soll) ich (?:dich |sie |hier )?(?:alles )?(?:fragen|sagen)|wobei (?:kannst du|konnen sie) (?:mir )?helfen|wie (?:funktioniert|geht) (?:das|das hier|dieses gerat)|wie (?:funktionierst|arbeitest) du|wofur bist du(?: da)?",
  "(?:das ist (?:nur )?ein |nur ein )?(?:test|teste|sprechprobe|funktest|tonprobe|mikrofontest|sprechtest|probe|funkprobe|mikrotest)(?: (?:test|eins|zwei|drei|vier|1|2|3))*|eins zwei(?: drei)?",
  "(?:(?:kannst|horst) du|(?:konnen|horen) sie|hort|horen) (?:mich|uns)(?: (?:jemand|wer|denn|horen|noch|gut|jetzt))*|(?:ist )?(?:da )?(?:jemand|wer)(?: (?:da|hier|dran))?|bist du (?:da|noch da|an|wach)|sind sie (?:da|noch da)",
];

const SPANISH = [
  "(?:y )?(?:quien (?:eres|es usted|es|habla|esta ahi)|que eres|como te llamas|como se llama|con quien (?:hablo|estoy hablando))(?: tu)?",
  "que (?:sabes|puedes|sabe|puede)(?: (?:hacer|hacer por mi|contestar|responder))?(?: por mi)?|que (?:te |le )?(?:puedo|puede uno) (?:preguntar|pedir|decir)(?:te|le)?|para que (?:sirves|sirve|sirve esto|estas)|como (?:funciona|funcionas|funciona esto|te uso|se usa esto)|en que (?:puedes|me puedes) ayudar(?:me)?",
  "(?:esto es |es )?(?:solo )?(?:una )?(?:prueba|probando|pruebas|test)(?: (?:prueba|probando|de (?:radio|sonido|voz|microfono)|si|uno|un|dos|tres|1|2|3))*|uno dos(?: tres)?",
  "(?:me (?:oyes|oye|escuchas|escucha|copias|copia|recibes|oyen|escuchan))(?: (?:bien|ahora))?|(?:hay )?alguien (?:ahi|por ahi|en linea|escuchando|me (?:oye|escucha))|(?:estas|esta) (?:ahi|ahi todavia|escuchando)",
];

const FRENCH = [
  "(?:(?:t es|tu es|vous etes|c est) qui|qui (?:es tu|etes vous|est la|parle|est ce|tu es|t es)|a qui (?:je parle|est ce que je parle|ai je (?:affaire|l honneur))|(?:je parle )a qui|comment (?:tu t appelles|t appelles tu|vous appelez vous)|quel est (?:ton|votre) nom|tu es quoi|qu es tu)(?: (?:toi|vous|au juste|exactement))?",
  "(?:qu est ce que |que )?(?:tu|vous) (?:sais|savez|peux|pouvez)(?: (?:me))? (?:faire|repondre|dire)(?: (?:quoi|pour moi|pour nous))*|(?:que|qu est ce que) (?:sais tu|savez vous|peux tu|pouvez vous|tu sais|tu peux|vous savez|vous pouvez)(?: (?:faire|repondre|dire|faire pour moi))*|(?:qu est ce que |que )(?:je peux|puis je|on peut) (?:te |vous )?(?:demander|dire)|je (?:te|vous|peux te|peux vous) (?:demande|demander) quoi|comment (?:ca|tu|vous) (?:marche|marches|fonctionne|fonctionnes|fonctionnez)|a quoi (?:tu sers|sers tu|ca sert)",
  "(?:c est |juste )?(?:un )?(?:test|tests|essai|essais)(?: (?:test|essai|micro|radio|de (?:micro|radio|voix|son)|un|deux|trois|1|2|3))*|un deux(?: trois)?",
  "(?:(?:est ce que )?(?:tu|vous|quelqu un|on) (?:m |me )?(?:entends|entendez|entend|recois|recevez|recoit)(?: moi)?|(?:m |me )?(?:entends tu|entendez vous|recois tu|recevez vous)|(?:il )?(?:y a )?quelqu un(?: (?:la|ici|m entend))?|(?:tu es|t es|vous etes|es tu|etes vous) la)(?: (?:bien|encore|la|maintenant))?",
];

const POLISH = [
  "(?:kim|czym) (?:jestes|ty jestes|pan jest|pani jest)|kto (?:tam|to|mowi|ty jestes|jest tam)|jak (?:masz na imie|sie nazywasz|ci na imie)|z kim (?:ja )?(?:rozmawiam|mowie|mam przyjemnosc)|co to jest",
  "co (?:ty )?(?:potrafisz|umiesz|mozesz)(?: (?:zrobic|robic|dla mnie zrobic|dla mnie|powiedziec))?|o co (?:moge|mozna) (?:cie |pana |pania )?(?:pytac|zapytac|spytac)|(?:co|jak) (?:moge|mam) (?:cie |ciebie )?(?:pytac|zapytac|powiedziec|uzywac)|jak (?:to|ty) (?:dziala|dzialasz)|w czym (?:mozesz|mozna) (?:mi )?pomoc|do czego (?:sluzysz|to sluzy)",
  "(?:to |to tylko |tylko )?(?:test|testuje|proba|probuje|testowanie|probny)(?: (?:test|proba|radia|mikrofonu|głosu|glosu|dzwieku|raz|dwa|trzy|1|2|3))*|raz dwa(?: trzy)?",
  "(?:czy )?(?:mnie )?(?:słyszysz|słyszy|słychac|slyszysz|slychac|słyszycie|odbierasz|odbiera)(?: (?:mnie|nas|to|ktos))?|(?:czy )?(?:ktos )?(?:mnie )?słyszy|(?:czy )?(?:jest )?(?:tam )?(?:ktos|kto)(?: (?:tam|tu|jest|mnie słyszy))*|jestes (?:tam|tu)|halo jest tam kto",
];

const UKRAINIAN = [
  "хто (?:ти|ви|там|це|говорить|ти такии|ви такии|ти така)|як (?:тебе|вас) (?:звати|звуть)|з ким (?:я )?(?:розмовляю|говорю)|що (?:ти|ви|це) таке",
  "що (?:ти|ви) (?:вмієш|вмієте|можеш|можете|знаєш|знаєте)(?: (?:робити|зробити|для мене))*|(?:про )?що (?:я )?(?:можу|можна) (?:тебе |вас |у тебе |у вас )?(?:питати|запитати|спитати|сказати)|(?:про )?що (?:тебе|вас) (?:можна )?(?:питати|запитати|спитати)|як (?:це|ти|ви) (?:працює|працюєш|працюєте)|чим (?:ти |ви )?(?:можеш|можете) допомогти|для чого ти",
  "(?:це |це лише |просто )?(?:тест|тестую|перевірка|перевіряю|проба|тестування)(?: (?:тест|зв язку|звязку|рації|мікрофона|мікрофону|звуку|голосу|раз|один|два|три|1|2|3))*|раз два(?: три)?",
  "(?:чи )?(?:ти |ви |хтось )?(?:мене )?(?:чуєш|чуєте|чути|чує|приимаєш|приимаєте)(?: (?:мене|нас|хтось|добре|там))*|(?:чи )?(?:є )?(?:там |тут )?(?:хтось|хто)(?: (?:там|тут|є|живии))*|ти (?:тут|там)|ви (?:тут|там)|(?:ало )?є хто",
];

const FIRST_WORDS = whole(...ENGLISH, ...GERMAN, ...SPANISH, ...FRENCH, ...POLISH, ...UKRAINIAN);
