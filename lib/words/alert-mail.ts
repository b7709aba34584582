import type { Language } from "./language.ts";

/** What the e-mails of alerts say besides the alert itself, and what the inbox says of a channel. */
interface AlertMailWords {
  run: string;
  map: string;
  /** The alert is a trial that somebody asked for. */
  test: string;
  synthetic: string;
  notForNavigation: string;
  unsubscribe: string;
  confirm: {
    subject: string;
    asked: (service: { url: string }) => string;
    press: string;
    ignore: string;
  };
  /** A channel was disabled. */
  disabled: {
    title: (channel: { name: string }) => string;
    sentence: (failure: { error: string }) => string;
  };
  /** What a trial says where there is no alert to repeat. */
  trial: { title: string; sentence: string };
}

export const alertMailWords: Readonly<Record<Language, AlertMailWords>> = {
  en: {
    run: "Forecast",
    map: "Map",
    test: "This is a test.",
    synthetic: "The numbers come from the synthetic demo world: they are invented.",
    notForNavigation: "Not for navigation.",
    unsubscribe: "No more alerts to this address",
    confirm: {
      subject: "Open MetOcean: confirm this address for alerts",
      asked: ({ url }) =>
        `Somebody, probably you, wants weather alerts of Open MetOcean at ${url} sent to this address.`,
      press: "Open this page and press the button there to receive them. The link works for three days:",
      ignore: "If you have not asked for this, do nothing: no alert is sent.",
    },
    disabled: {
      title: ({ name }) => `Alerts are no longer sent to “${name}”`,
      sentence: ({ error }) =>
        `Nothing could be delivered, last: ${error}. Correct the target, then send a test: it turns the channel on again.`,
    },
    trial: { title: "Test of Open MetOcean", sentence: "Alerts arrive here." },
  },
  fr: {
    run: "Prévision",
    map: "Carte",
    test: "Ceci est un essai.",
    synthetic: "Les chiffres viennent du monde de démonstration\u202f: ils sont inventés.",
    notForNavigation: "Ne pas utiliser pour la navigation.",
    unsubscribe: "Ne plus envoyer d’alertes à cette adresse",
    confirm: {
      subject: "Open MetOcean\u00a0: confirmez cette adresse pour les alertes",
      asked: ({ url }) =>
        `Quelqu’un, sans doute vous, souhaite recevoir à cette adresse les alertes météo d’Open MetOcean, ${url}.`,
      press:
        "Ouvrez cette page et appuyez sur le bouton pour les recevoir. Le lien fonctionne pendant trois jours\u00a0:",
      ignore: "Si vous n’avez rien demandé, ne faites rien\u00a0: aucune alerte ne sera envoyée.",
    },
    disabled: {
      title: ({ name }) => `Les alertes ne sont plus envoyées à «\u00a0${name}\u00a0»`,
      sentence: ({ error }) =>
        `Rien n’a pu être remis, en dernier\u00a0: ${error}. Corrigez la destination, puis envoyez un essai\u00a0: il réactive le canal.`,
    },
    trial: { title: "Essai d’Open MetOcean", sentence: "Les alertes arrivent ici." },
  },
  es: {
    run: "Predicción",
    map: "Mapa",
    test: "Esto es una prueba.",
    synthetic: "Los números son del mundo de demostración: son inventados.",
    notForNavigation: "No apto para la navegación.",
    unsubscribe: "No enviar más alertas a esta dirección",
    confirm: {
      subject: "Open MetOcean: confirme esta dirección para recibir alertas",
      asked: ({ url }) =>
        `Alguien, probablemente usted, quiere recibir en esta dirección las alertas meteorológicas de Open MetOcean, ${url}.`,
      press: "Abra esta página y pulse el botón para recibirlas. El enlace funciona durante tres días:",
      ignore: "Si no lo ha pedido, no haga nada: no se enviará ninguna alerta.",
    },
    disabled: {
      title: ({ name }) => `Ya no se envían alertas a «${name}»`,
      sentence: ({ error }) =>
        `No se pudo entregar nada; lo último: ${error}. Corrija el destino y envíe una prueba: vuelve a activar el canal.`,
    },
    trial: { title: "Prueba de Open MetOcean", sentence: "Las alertas llegan aquí." },
  },
  de: {
    run: "Vorhersage",
    map: "Karte",
    test: "Dies ist ein Test.",
    synthetic: "Die Zahlen stammen aus der Demowelt: Sie sind erfunden.",
    notForNavigation: "Nicht zur Navigation.",
    unsubscribe: "Keine Warnmeldungen mehr an diese Adresse",
    confirm: {
      subject: "Open MetOcean: Bestätigen Sie diese Adresse für Warnmeldungen",
      asked: ({ url }) =>
        `Jemand, wahrscheinlich Sie, möchte Wettermeldungen von Open MetOcean (${url}) an diese Adresse erhalten.`,
      press:
        "Öffnen Sie diese Seite und drücken Sie dort den Knopf, um sie zu erhalten. Der Link gilt drei Tage:",
      ignore: "Wenn Sie das nicht wollten, tun Sie nichts: Es wird keine Meldung gesendet.",
    },
    disabled: {
      title: ({ name }) => `An „${name}“ werden keine Warnmeldungen mehr gesendet`,
      sentence: ({ error }) =>
        `Nichts konnte zugestellt werden, zuletzt: ${error}. Berichtigen Sie das Ziel und senden Sie einen Test: Er schaltet den Kanal wieder ein.`,
    },
    trial: { title: "Test von Open MetOcean", sentence: "Warnmeldungen kommen hier an." },
  },
  pt: {
    run: "Previsão",
    map: "Mapa",
    test: "Isto é um teste.",
    synthetic: "Os números vêm do mundo de demonstração: são inventados.",
    notForNavigation: "Não usar para navegação.",
    unsubscribe: "Não enviar mais alertas a este endereço",
    confirm: {
      subject: "Open MetOcean: confirme este endereço para receber alertas",
      asked: ({ url }) =>
        `Alguém, provavelmente você, quer receber neste endereço os alertas meteorológicos do Open MetOcean, ${url}.`,
      press: "Abra esta página e pressione o botão para recebê-los. O link funciona por três dias:",
      ignore: "Se você não pediu isto, não faça nada: nenhum alerta será enviado.",
    },
    disabled: {
      title: ({ name }) => `Os alertas não são mais enviados a “${name}”`,
      sentence: ({ error }) =>
        `Nada pôde ser entregue; por último: ${error}. Corrija o destino e envie um teste: ele reativa o canal.`,
    },
    trial: { title: "Teste do Open MetOcean", sentence: "Os alertas chegam aqui." },
  },
  ja: {
    run: "予報",
    map: "地図",
    test: "これはテストです。",
    synthetic: "数値はデモ用の架空のものです。",
    notForNavigation: "航海には使用しないでください。",
    unsubscribe: "このアドレスへの警報の送信を停止する",
    confirm: {
      subject: "Open MetOcean：警報の送信先アドレスの確認",
      asked: ({ url }) => `Open MetOcean（${url}）の気象警報をこのアドレスで受け取る申し込みがありました。`,
      press: "受け取るには、次のページを開いてボタンを押してください。リンクは3日間有効です：",
      ignore: "心当たりがない場合は、何もしないでください。警報は送信されません。",
    },
    disabled: {
      title: ({ name }) => `「${name}」への警報の送信を停止しました`,
      sentence: ({ error }) =>
        `配信できませんでした。最後の理由：${error}。送信先を直してからテストを送信すると、再び有効になります。`,
    },
    trial: { title: "Open MetOcean のテスト", sentence: "警報はここに届きます。" },
  },
  zh: {
    run: "预报",
    map: "地图",
    test: "这是一次测试。",
    synthetic: "数值来自演示世界，是虚构的。",
    notForNavigation: "不可用于航海。",
    unsubscribe: "不再向此地址发送警报",
    confirm: {
      subject: "Open MetOcean：请确认接收警报的地址",
      asked: ({ url }) => `有人（可能是您）希望用此地址接收 Open MetOcean（${url}）的天气警报。`,
      press: "要接收警报，请打开此页面并按下按钮。链接三天内有效：",
      ignore: "如果不是您提出的，请不要操作：不会发送任何警报。",
    },
    disabled: {
      title: ({ name }) => `已停止向“${name}”发送警报`,
      sentence: ({ error }) => `未能送达，最近的原因：${error}。请更正目标后发送测试：渠道会重新启用。`,
    },
    trial: { title: "Open MetOcean 测试", sentence: "警报会送到这里。" },
  },
};

/** English for a language that has no words. */
export function alertMailWordsIn(language: string): AlertMailWords {
  return alertMailWords[language as Language] ?? alertMailWords.en;
}
