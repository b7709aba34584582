import type { PositionWords } from "../en/position.ts";
import { plural } from "../plural.ts";

export const position: PositionWords = {
  field: "Posição",
  placeholder: "48 30N 005 10W ou um lugar",
  open: "Ir para uma posição",
  submit: "Ir para a posição",
  places: "Lugares",
  found: (count) =>
    plural("pt", count, {
      one: `${count} lugar abaixo do campo.`,
      other: `${count} lugares abaixo do campo.`,
    }),
  notLoaded:
    "Não foi possível carregar a lista de lugares. Mesmo assim você pode escrever uma posição, como 48 30N 005 10W.",
  kinds: {
    ocean: "Oceano",
    sea: "Mar, baía ou estreito",
    cape: "Cabo",
    island: "Ilha",
    port: "Porto",
    town: "Cidade costeira",
  },
  inRegion: ({ kind, region }) => `${kind}, ${region}`,
  invalid: {
    empty: "Escreva uma posição, como 48 30N 005 10W, ou o nome de um porto, de um cabo ou de um mar.",
    name: "Nenhum lugar com esse nome é conhecido aqui. Escreva outro nome ou uma posição como 48 30N 005 10W.",
    words:
      "Há uma palavra ou um sinal que nenhuma posição tem. Escreva, por exemplo, 48 30N 005 10W, 48°30.5′N 5°10′W ou 48.5, −5.17.",
    half: "Falta a outra metade da posição. Escreva latitude e longitude, por exemplo 48 30N 005 10W.",
    twice:
      "A latitude ou a longitude aparece duas vezes. Escreva cada uma só uma vez, por exemplo 48 30N 005 10W.",
    numbers:
      "Não dá para saber quais números são a latitude. Ponha uma vírgula entre as metades ou letras depois delas, por exemplo 48 30N, 005 10W.",
    minutes: "Minutos e segundos vão até 59,999.",
    "latitude-range": "A latitude deve estar entre 90° sul e 90° norte.",
    "longitude-range": "A longitude deve estar entre 180° oeste e 180° leste, ou entre 0° e 360° leste.",
    "sign-and-letter": "A mesma metade tem um sinal de menos e uma letra: retire um dos dois.",
    "missing-number": "Uma letra está sem número. Escreva, por exemplo, 48 30N 005 10W.",
  },
  unclear: {
    "letter-o": "O significa oeste em algumas línguas e leste em outras. Escolha a posição correta:",
    "no-letter": "Uma metade tem letra e a outra não. Escolha a posição correta:",
    comma: "A vírgula pode ser o sinal decimal ou separar dois números. Escolha a posição correta:",
    hyphen: "O hífen pode ser um sinal de menos. Escolha a posição correta:",
    order: "O primeiro número é grande demais para uma latitude. É este o lugar?",
  },
};
