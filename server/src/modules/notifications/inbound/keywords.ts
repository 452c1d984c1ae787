/** What a text to the short code asks for; `other` asks for nothing we know. */
export type Keyword = 'yes' | 'stop' | 'help' | 'start' | 'other';

/**
 * Stop words by themselves: the carriers' list (CTIA Messaging Principles; 47 CFR 64.1200(a)(10) names stop, quit,
 * end, revoke, opt out, cancel and unsubscribe) and what speakers of the offered languages write instead.
 */
const stopWords = words(`
  stop stopall unsubscribe cancel end quit revoke optout remove arret
  alto pare parar baja cancelar terminar detener basta salir desuscribir
  arrêt arrêter arreter désabonner desabonner annuler fin
  halt stopp abmelden abbestellen ende beenden aufhören
  sispann kanpe rete anile
  توقف قف إيقاف ايقاف الغاء إلغاء
  বন্ধ থামুন বাতিল
  停止 取消 停 退订 退訂 取消订阅 取消訂閱 停止接收
  रोकें रुको बंद रद्द
  ʻoki oki hooki hoʻoki
  isardeng sardeng ikkaten
  停止 中止 解除 配信停止 ストップ 止めて 取り消し
  ឈប់ បញ្ឈប់ បោះបង់
  중지 중단 취소 그만 수신거부 정지 해지
  стоп отмена отписаться остановить отписка
  jooji joog dhammaad iskajooji
  tigil itigil hinto ihinto kanselahin ayoko
  หยุด ยกเลิก เลิก
  стоп зупинити скасувати відписатися
  dừng dung ngừng ngung hủy huy
`);

const yesWords = words(`
  yes y yeah yep ok okay confirm
  si sí claro confirmo acepto
  oui ja wi نعم موافق হ্যাঁ হাঁ
  是 好 同意 是的 係 हाँ हां जी ʻae ae wen
  はい 同意 បាទ ចាស យល់ព្រម 예 네 да haa oo opo ใช่ ตกลง так có co
`);

const helpWords = words(`
  help info ayuda aide hilfe èd ed مساعدة সাহায্য 帮助 幫助 मदद kōkua kokua tulong
  ヘルプ ជំនួយ 도움말 도움 помощь caawi caawimaad ช่วยเหลือ допомога
`);

const startWords = words(`
  start unstop resume subscribe join comenzar empezar iniciar commencer démarrer anfang kòmanse ابدأ শুরু 开始 開始 शुरू
  hoʻomaka rugi 再開 ចាប់ផ្តើម 시작 начать старт bilow simula เริ่ม почати
`);

/** Stop words that mean nothing else, so they count inside a short sentence as well: “please stop”. */
const clearStopWords = words(
  'stop stopall unsubscribe optout alto arrêt стоп stopp 停止 退订 退訂 중지 หยุด',
);
const sentenceLength = 6;
const politeWords = words('please thanks thank you por favor gracias svp merci bitte danke');

/**
 * Reads a text that came in. A stop word comes first, and in doubt counts as a stop: stopping harms nobody, while sending
 * more messages does (decisions: any clear stop word in any offered language stops at once).
 */
export function readKeyword(text: string): Keyword {
  const tokens = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s'’ʻ]/gu, ' ')
    .replaceAll(/opt[\s-]*out/g, 'optout')
    .trim()
    .split(/\s+/);
  const whole = tokens.join(' ');
  const joined = tokens.join('');
  if (stopWords.has(whole) || stopWords.has(joined)) return 'stop';
  if (tokens.length <= sentenceLength && tokens.some((token) => clearStopWords.has(token)))
    return 'stop';
  const [first = ''] = tokens;
  if (stopWords.has(first) && tokens.length <= 3) return 'stop';
  // Consent must be clear: the word itself, with at most a thanks or please.
  const asked = tokens.filter((token) => !politeWords.has(token)).join(' ');
  if (yesWords.has(asked)) return 'yes';
  if (startWords.has(asked)) return 'start';
  if (helpWords.has(asked)) return 'help';
  return 'other';
}

/** Every stop word, for the test that each one works. */
export const allStopWords: readonly string[] = [...stopWords];

function words(list: string): ReadonlySet<string> {
  return new Set(
    list
      .trim()
      .split(/\s+/)
      .map((word) => word.normalize('NFKC').toLowerCase()),
  );
}
