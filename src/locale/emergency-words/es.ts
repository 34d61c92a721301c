/** What emergencies sound like in Spanish. */
import type { EmergencyWords } from "./words.js";

export const spanish: EmergencyWords = {
  cries:
    "mayday, sos, socorro, auxilio, ayudenme, ayudadme, ayudame por favor, pidan ayuda, pide ayuda, pedid ayuda, manden ayuda, necesito ayuda urgente, necesitamos ayuda urgente, vengan rapido, ven rapido, venid rapido, vengan ya, es una emergencia, tenemos una emergencia, emergencia medica, hombre caido",
  alone: "ayuda, ayuda ayuda, ayudame, emergencia, necesito ayuda, necesitamos ayuda",
  dire: "no respira, no puedo respirar, no puede respirar, dejo de respirar, sin pulso, no tiene pulso, inconsciente*, se desmayo, desmayado, desmayada, desmayar, se ha desmayado, ha perdido el conocimiento, perdio el conocimiento, sangrando, sangra mucho, se desangra, infarto, paro cardiaco, derrame cerebral, ictus, convulsiona*, convulsiones, electrocutado, electrocutada, electrocuto, descarga electrica, dolor en el pecho, no se mueve, no reacciona, se esta ahogando, ahogandose, se ahoga, asfixia*, en llamas, se quema, se esta quemando, esta ardiendo, se prendio fuego, ha prendido fuego, exploto, ha explotado, huele a gas, olor a gas en, apesta a gas, atropell*, apunal*, le estan pegando, lo estan golpeando, le estan golpeando, golpeandole, golpeandolo, nos atracan, nos estan atracando, nos roban, disparando, le han disparado",
  who: "yo, me, ella, nos, le, les, alguien, uno, una, persona*, gente, hombre*, mujer*, companer*, trabajador*, operari*, conductor*, client*, visitante*, paciente*, chico*, chica*, nino*, nina*, tipo, senor*, huesped*, mi jefe",
  body: "mano, manos, dedo, dedos, pulgar, brazo, brazos, pierna, piernas, pie, pies, cabeza, cara, ojo, ojos, pelo, manga, ropa, chaqueta, pecho, cuello, espalda, boca, piel",
  harm: "se cayo, se ha caido, ha caido, me he caido, me cai, caido de, atrapado*, atrapada*, encerrado*, encerrada*, pillado, pillada, aplastado*, aplastada*, aplasto, sepultado*, herido, herida, heridos, se muere, esta muerto, esta muerta, se ha quemado, se quemo, me he quemado, me queme, quemado, quemada, envenenado, intoxicado*, intoxicada*, atragantado, atragantando, se atraganta, colapso, desplomado, se desplomo, golpeado, atacado, atacando",
  wound:
    "cortado, corte, corto, arrancado, arranco, roto, rota, amputado, pillado, pillada, enganchado, enganchada, quemando, pican, escuecen, arden, salpicado, saltado, metido, metida, atascada, atascado",
  into: "en, dentro",
  under: "bajo, debajo, debajo de, entre",
  crusher:
    "cinta, prensa, rodillo*, maquina*, mezcladora, sierra, cadena*, engranaje*, estanteria*, palet*, carga, carretilla*, camion, vehiculo, rueda*, ascensor, trituradora, freidora, montacargas, picadora, cortadora",
  summon:
    "llama, llame, llamen, llamad, llamar, avisa, avisen, avisad, manda, manden, mandad, necesito, necesitamos, necesita, trae, traigan, pide, pidan, hace falta, envia, envien",
  rescue:
    "ambulancia*, medico, doctor, paramedico*, bomberos, policia, 112, 911, 061, emergencias, socorrista, desfibrilador, dea",
  hazard: "fuego, incendio, humo, llamas, explosion, fuga de gas, atraco, tiroteo, disparos",
  place:
    "en, de, del, desde, por, junto, detras, debajo, sobre, cerca, aqui, ahi, alli, sale, saliendo, ahora, ya, rapido, dentro, fuera, al",
  substance:
    "gas, amoniaco, cloro, acido, lejia, sosa, quimico*, producto quimico, propano, disolvente, refrigerante, desincrustante, monoxido",
  escapes: "fuga, escape, sale, saliendo, derrame, escapando, perdiendo, pierde, derramado, reventado",
  weapon: "cuchillo, pistola, arma, navaja, machete, hacha, bomba",
  armed: "con, tiene, lleva, saca, amenaza",
  supposing: "=si, cuando, en caso, antes, despues, siempre que, hasta, mientras, suponiendo, por si",
  upon: "contra, sobre, para, ante, durante",
  asking:
    "que, donde, cuando, quien*, cual*, por que, como, cuanto*, cuanta*, a que, debo, puedo, tengo que, hay que, se puede, explica*",
  opening: "es, esta permitido, se puede",
  whatNow:
    "que hago, que hacemos, que debo hacer, que tengo que hacer, que hacer, que puedo hacer, y ahora que, como ayudo",
  denying: "no hay, ningun*, nadie, nunca, sin, nada de",
  past: "ayer, la semana pasada, el mes pasado, el ano pasado, la ultima vez, hace un ano, hace anos, anoche, como siempre, como de costumbre, todos los dias, normalmente, a menudo",
  paper:
    "simulacro*, formacion, procedimiento*, protocolo*, politica, lista, plan, formulario*, manual, video, pasos, reglas, instrucciones, numero, extension, registro, seguro, inspeccion, estadistica*, parte de",
  harmless:
    "extintor*, puerta cortafuegos, detector de humo*, primeros auxilios, salida de emergencia, parada de emergencia, alarma de incendio*, simulacro de incendio*, numero de emergencia*, luz de emergencia, bomba de infusion, bombona*, a fuego lento, casi accidente*, a mano, de la mano, echar una mano, muerto de hambre, muero de hambre, muero por, sin humo, carga de trabajo, en cuanto",
};
