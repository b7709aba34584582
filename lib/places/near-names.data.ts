import type { Language } from "#lib/messages/language.ts";

/** Languages of the columns after the name in the gazetteer. */
const columns: readonly Language[] = ["fr", "de", "es", "pt", "ja", "zh"];

/**
 * Names of waters, capes, islands and harbours that other languages write differently from the gazetteer: one line per
 * place, its name there and then that in each language of `columns`; Portuguese is that of Brazil.
 *
 * Names of some 60 places were compared, each in the languages in which another source has it, with those of CLDR 48 (regions,
 * subdivisions, cities of time zones); Debian's translations of libgweather 4.2, kstars 3.6, kgeography 22.12 and
 * iso-codes 4.15; Natural Earth (countries, populated places, seas in French); and the dictionaries FreeDict, CC-CEDICT,
 * EDICT and ENAMDICT. They differ in spellings that are both in use, and in the word for an island. The other places,
 * half of them capes, are in none of these.
 */
const table = `
Alboran Sea|Mer d’Alboran|Alboránmeer|Mar de Alborán|Mar de Alborão|アルボラン海|阿尔沃兰海
Balearic Sea|Mer des Baléares|Balearen-Meer|Mar Balear|Mar Balear|バレアレス海|巴利阿里海
Bay of Fundy|Baie de Fundy|Bay of Fundy|Bahía de Fundy|Baía de Fundy|ファンディ湾|芬迪湾
Bay of Seine|Baie de Seine|Seinebucht|Bahía del Sena|Baía do Sena|セーヌ湾|塞纳湾
Beagle Channel|Canal Beagle|Beagle-Kanal|Canal Beagle|Canal de Beagle|ビーグル水道|比格尔海峡
Bohai Sea|Mer de Bohai|Bohai-Meer|Mar de Bohai|Mar de Bohai|渤海|渤海
Bosporus|Bosphore|Bosporus|Bósforo|Bósforo|ボスポラス海峡|博斯普鲁斯海峡
Cabot Strait|Détroit de Cabot|Cabotstraße|Estrecho de Cabot|Estreito de Cabot|カボット海峡|卡伯特海峡
German Bight|Baie Allemande|Deutsche Bucht|Bahía Alemana|Baía Alemã|ドイツ湾|德国湾
Great Belt|Grand Belt|Großer Belt|Gran Belt|Grande Belt|大ベルト海峡|大贝尔特海峡
Gulf of Cádiz|Golfe de Cadix|Golf von Cádiz|Golfo de Cádiz|Golfo de Cádis|カディス湾|加的斯湾
Gulf of Lion|Golfe du Lion|Golfe du Lion|Golfo de León|Golfo de Leão|リオン湾|利翁湾
Gulf of St Malo|Golfe de Saint-Malo|Golf von Saint-Malo|Golfo de Saint-Malo|Golfo de Saint-Malo|サン・マロ湾|圣马洛湾
Iroise Sea|Mer d’Iroise|Iroise|Mar de Iroise|Mar de Iroise|イロワーズ海|伊鲁瓦斯海
Korea Strait|Détroit de Corée|Koreastraße|Estrecho de Corea|Estreito da Coreia|対馬海峡|朝鲜海峡
Ligurian Sea|Mer Ligure|Ligurisches Meer|Mar de Liguria|Mar da Ligúria|リグリア海|利古里亚海
Sea of Sagami|Baie de Sagami|Sagami-Bucht|Bahía de Sagami|Baía de Sagami|相模湾|相模湾
Seto Inland Sea|Mer intérieure de Seto|Seto-Inlandsee|Mar Interior de Seto|Mar Interior de Seto|瀬戸内海|濑户内海
Strait of Bonifacio|Bouches de Bonifacio|Straße von Bonifacio|Estrecho de Bonifacio|Estreito de Bonifácio|ボニファシオ海峡|博尼法乔海峡
Strait of Dover|Pas de Calais|Straße von Dover|Paso de Calais|Estreito de Dover|ドーバー海峡|多佛尔海峡
Strait of Gibraltar|Détroit de Gibraltar|Straße von Gibraltar|Estrecho de Gibraltar|Estreito de Gibraltar|ジブラルタル海峡|直布罗陀海峡
Strait of Magellan|Détroit de Magellan|Magellanstraße|Estrecho de Magallanes|Estreito de Magalhães|マゼラン海峡|麦哲伦海峡
Strait of Malacca|Détroit de Malacca|Straße von Malakka|Estrecho de Malaca|Estreito de Malaca|マラッカ海峡|马六甲海峡
Taiwan Strait|Détroit de Taïwan|Taiwanstraße|Estrecho de Taiwán|Estreito de Taiwan|台湾海峡|台湾海峡
Tsugaru Strait|Détroit de Tsugaru|Tsugaru-Straße|Estrecho de Tsugaru|Estreito de Tsugaru|津軽海峡|津轻海峡
Øresund|Øresund|Öresund|Øresund|Øresund|エーレスンド海峡|厄勒海峡
Cape Andreas|Cap Andréas|Kap Andreas|Cabo Andreas|Cabo André|アンドレアス岬|安德烈亚斯角
Cape Arkona|Cap Arkona|Kap Arkona|Cabo Arkona|Cabo Arkona|アルコナ岬|阿尔科纳角
Cape Ashizuri|Cap Ashizuri|Kap Ashizuri|Cabo Ashizuri|Cabo Ashizuri|足摺岬|足摺岬
Cape Erimo|Cap Erimo|Kap Erimo|Cabo Erimo|Cabo Erimo|襟裳岬|襟裳岬
Cape Inubō|Cap Inubō|Kap Inubō|Cabo Inubō|Cabo Inubō|犬吠埼|犬吠埼
Cape Irō|Cap Irō|Kap Irō|Cabo Irō|Cabo Irō|石廊崎|石廊崎
Cape Lopez|Cap Lopez|Kap Lopez|Cabo López|Cabo Lopez|ロペス岬|洛佩斯角
Cape Machichaco|Cap Machichaco|Kap Machichaco|Cabo Machichaco|Cabo Machichaco|マチチャコ岬|马奇查科角
Cape Matapan|Cap Matapan|Kap Matapan|Cabo Matapán|Cabo Matapão|マタパン岬|马塔潘角
Cape Muroto|Cap Muroto|Kap Muroto|Cabo Muroto|Cabo Muroto|室戸岬|室户岬
Cape Nojima|Cap Nojima|Kap Nojima|Cabo Nojima|Cabo Nojima|野島崎|野岛崎
Cape Ortegal|Cap Ortegal|Kap Ortegal|Cabo Ortegal|Cabo Ortegal|オルテガル岬|奥特加尔角
Cape Sata|Cap Sata|Kap Sata|Cabo Sata|Cabo Sata|佐多岬|佐多岬
Cape Shiono|Cap Shiono|Kap Shiono|Cabo Shiono|Cabo Shiono|潮岬|潮岬
Cape Spartel|Cap Spartel|Kap Spartel|Cabo Espartel|Cabo Espartel|スパルテル岬|斯帕特尔角
Cape Sōya|Cap Sōya|Kap Sōya|Cabo Sōya|Cabo Sōya|宗谷岬|宗谷岬
Cape Trafalgar|Cap Trafalgar|Kap Trafalgar|Cabo Trafalgar|Cabo Trafalgar|トラファルガー岬|特拉法尔加角
Tarifa Point|Pointe de Tarifa|Punta de Tarifa|Punta de Tarifa|Ponta de Tarifa|タリファ岬|塔里法角
The Skaw|Skagen|Skagen|Skagen|Skagen|スカーゲン|斯卡恩角
Amsterdam Island|Île Amsterdam|Amsterdam-Insel|Isla Ámsterdam|Ilha Amsterdã|アムステルダム島|阿姆斯特丹岛
Azores|Açores|Azoren|Azores|Açores|アゾレス諸島|亚速尔群岛
Balearic Islands|Îles Baléares|Balearen|Islas Baleares|Ilhas Baleares|バレアレス諸島|巴利阿里群岛
Bear Island|Île aux Ours|Bäreninsel|Isla del Oso|Ilha do Urso|ビュルネイ島|熊岛
Canary Islands|Îles Canaries|Kanaren|Islas Canarias|Ilhas Canárias|カナリア諸島|加那利群岛
Cape Verde Islands|Îles du Cap-Vert|Kapverden|Islas de Cabo Verde|Ilhas de Cabo Verde|カーボベルデ諸島|佛得角群岛
Cocos Islands|Îles Cocos|Kokosinseln|Islas Cocos|Ilhas Cocos|ココス諸島|科科斯群岛
Comoros|Comores|Komoren|Comoras|Comores|コモロ諸島|科摩罗群岛
Corsica|Corse|Korsika|Córcega|Córsega|コルシカ島|科西嘉岛
Crete|Crète|Kreta|Creta|Creta|クレタ島|克里特岛
Crozet Islands|Îles Crozet|Crozetinseln|Islas Crozet|Ilhas Crozet|クローゼー諸島|克罗泽群岛
Cyprus|Chypre|Zypern|Chipre|Chipre|キプロス|塞浦路斯
Easter Island|Île de Pâques|Osterinsel|Isla de Pascua|Ilha de Páscoa|イースター島|复活节岛
Falkland Islands|Îles Malouines|Falklandinseln|Islas Malvinas|Ilhas Malvinas|フォークランド諸島|福克兰群岛
Faroe Islands|Îles Féroé|Färöer|Islas Feroe|Ilhas Faroé|フェロー諸島|法罗群岛
Fiji|Fidji|Fidschi|Fiyi|Fiji|フィジー|斐济
Galápagos Islands|Îles Galápagos|Galápagos-Inseln|Islas Galápagos|Ilhas Galápagos|ガラパゴス諸島|加拉帕戈斯群岛
Hawaii|Hawaï|Hawaii|Hawái|Havaí|ハワイ|夏威夷
Heligoland|Héligoland|Helgoland|Heligoland|Heligolândia|ヘルゴラント島|黑尔戈兰岛
Isles of Scilly|Îles Scilly|Scilly-Inseln|Islas Sorlingas|Ilhas Scilly|シリー諸島|锡利群岛
Kerguelen Islands|Îles Kerguelen|Kerguelen|Islas Kerguelen|Ilhas Kerguelen|ケルゲレン諸島|凯尔盖朗群岛
Maldives|Maldives|Malediven|Maldivas|Maldivas|モルディブ|马尔代夫
Marquesas Islands|Îles Marquises|Marquesas|Islas Marquesas|Ilhas Marquesas|マルキーズ諸島|马克萨斯群岛
Mauritius|Maurice|Mauritius|Mauricio|Maurício|モーリシャス|毛里求斯
Minamitorishima|Minamitori-shima|Minami-Torishima|Minami-Torishima|Minami-Torishima|南鳥島|南鸟岛
New Caledonia|Nouvelle-Calédonie|Neukaledonien|Nueva Caledonia|Nova Caledônia|ニューカレドニア|新喀里多尼亚
Ogasawara|Ogasawara|Ogasawara|Ogasawara|Ogasawara|小笠原|小笠原
Okinawa|Okinawa|Okinawa|Okinawa|Okinawa|沖縄|冲绳
Prince Edward Islands|Îles du Prince-Édouard|Prinz-Edward-Inseln|Islas del Príncipe Eduardo|Ilhas do Príncipe Eduardo|プリンスエドワード諸島|爱德华王子群岛
Rhodes|Rhodes|Rhodos|Rodas|Rodes|ロドス島|罗得岛
Réunion|La Réunion|Réunion|Reunión|Reunião|レユニオン島|留尼汪岛
Sardinia|Sardaigne|Sardinien|Cerdeña|Sardenha|サルデーニャ島|撒丁岛
Seychelles|Seychelles|Seychellen|Seychelles|Seicheles|セーシェル|塞舌尔
Sicily|Sicile|Sizilien|Sicilia|Sicília|シチリア島|西西里岛
St Helena|Sainte-Hélène|St. Helena|Santa Elena|Santa Helena|セントヘレナ島|圣赫勒拿岛
Tuamotu Islands|Îles Tuamotu|Tuamotu-Inseln|Islas Tuamotu|Ilhas Tuamotu|トゥアモトゥ諸島|土阿莫土群岛
Alexandria|Alexandrie|Alexandria|Alejandría|Alexandria|アレクサンドリア|亚历山大
Algiers|Alger|Algier|Argel|Argel|アルジェ|阿尔及尔
Gent|Gand|Gent|Gante|Gante|ヘント|根特
Helsinki|Helsinki|Helsinki|Helsinki|Helsinque|ヘルシンキ|赫尔辛基
Heraklion|Héraklion|Iraklio|Heraclión|Heraclião|イラクリオン|伊拉克利翁
Keelung|Keelung|Keelung|Keelung|Keelung|基隆|基隆
Ostend|Ostende|Ostende|Ostende|Ostende|オステンド|奥斯坦德
Penang|Penang|Penang|Penang|Penang|ペナン|槟城
Turku|Turku|Turku|Turku|Turku|トゥルク|图尔库
`;

const namesByLanguage = new Map<string, readonly string[]>(
  table
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", ...others] = line.split("|");
      return [name, others];
    }),
);

/** Names of the gazetteer that have one in other languages. */
export const translatedNames: readonly string[] = [...namesByLanguage.keys()];

/** Name of a place of the gazetteer in a language; its name there if that language has no other. */
export function nameIn(name: string, language: Language): string {
  const column = columns.indexOf(language);
  return namesByLanguage.get(name)?.[column] ?? name;
}
