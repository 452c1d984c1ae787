import type { Language } from '@ballot-beacon/contract/languages';

/**
 * Words of the law that no voter reads, per language, as patterns of their stems. Voters take *cure* for a word of medicine and do not
 * know when an election is *certified*; that a ballot is *lost* is never known. Say what to do, a day and a clock time, and
 * what is known. Source: Center for Civic Design, tests of forms with voters.
 */
export const wordsOfLaw: { readonly [L in Language]: string } = {
  arabic: 'علاج|يعالج|معالجة الظرف|مصادقة|تصديق|اعتماد النتائج|فُقد|مفقود|ضائع|ضاع',
  bengali: 'নিরাময়|প্রত্যয়ন|প্রত্যয়িত|হারিয়ে|হারানো',
  cantonese: '治癒|補救期|認證|核證|遺失|失落|寄失',
  chinese: '治愈|补救期|认证|核证|遗失|丢失|寄丢',
  creole: '(?<!\\p{L})(geri|gerizon|sètifye|sètifikasyon|pèdi)(?!\\p{L})',
  english: '\\bcur(e|ed|es|ing|able)\\b|\\bcertif(y|ies|ied|ying|ication)\\b|\\blost\\b',
  french: '(?<!\\p{L})(guéri|certifi|perdu|égaré)',
  german: '(?<!\\p{L})(heilung|geheilt|zertifizi|beglaubig|verloren)',
  hawaiian: 'hōʻola|hōʻoia (ʻia )?(nā|ka) hopena|nalowale',
  hindi: 'इलाज|प्रमाणित|प्रमाणीकरण|गुम|खो ग',
  ilocano: '(?<!\\p{L})(agasan|sertipik|napukaw|mapukaw)',
  japanese: '治癒|認証|認定|紛失',
  khmer: 'ព្យាបាល|បញ្ជាក់លទ្ធផល|បាត់',
  korean: '치유|치료|인증|분실|잃어',
  russian: 'излечен|исцел|сертифи|заверен|потерян|утерян|утрачен',
  somali: '(?<!\\p{L})(daawee|bogsii|shahaadee|lumay|luntay)',
  spanish: '(?<!\\p{L})(cur(a|ar|ado|able|ación)(?!\\p{L})|subsan|certific|perdid|extravi)',
  tagalog: '(?<!\\p{L})(gamutin|lunas|sertipik|nawala|nawawala)',
  thai: 'รักษาบัตร|เยียวยา|รับรองผล|สูญหาย|หาย(?!ใจ)',
  ukrainian: 'зцілен|вилікув|сертифі|засвідчен|загублен|втрачен',
  vietnamese: 'chữa (lành|khỏi)|chứng nhận|thất lạc|bị mất',
};
