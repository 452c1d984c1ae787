import type { Language } from '@ballot-beacon/contract/languages';

/**
 * The words that must not be mixed up, per language, as patterns of their stems.
 *
 * *Received* (the envelope is in the office's hands), *accepted* (its signature was checked) and *counted* are three
 * events days apart; voters who read one for another have called their offices in thousands. A *polling place* is
 * a building where nobody takes a cure form; some published translations call the election office that.
 * Sources and gaps per language: docs/languages/.
 */
export interface BallotWords {
  readonly received: string;
  readonly accepted: string;
  readonly counted: string;
  readonly pollingPlace: string;
}

export const ballotWords: { readonly [L in Language]: BallotWords } = {
  arabic: {
    received: 'استلم|استلام|تلقي|تلقى|وصل',
    accepted: 'قبول',
    counted: 'فرز|حتسب|حتساب',
    pollingPlace: '(مركز|مراكز|محطة|محطات|مكتب|مكاتب|قلم|أقلام) (ال)?اقتراع',
  },
  bengali: {
    received: 'পেয়েছ|পৌঁছ|পাওয়া গে',
    accepted: 'গ্রহণ|গৃহীত',
    counted: 'গণনা|গোনা',
    pollingPlace: 'ভোট ?কেন্দ্র|ভোটদান কেন্দ্র|ভোটগ্রহণ কেন্দ্র|পোলিং',
  },
  cantonese: {
    received: '收到|送達|交回',
    accepted: '接納|接受',
    counted: '點算|計算|點票|計票|統計',
    pollingPlace: '投票站|投票所|投票中心|票站',
  },
  chinese: {
    received: '收到|送达|交回',
    accepted: '接受|接纳',
    counted: '计算|计票|统计|点票|清点',
    pollingPlace: '投票站|投票所|投票点|投票中心',
  },
  creole: {
    received: 'resevwa|rive',
    accepted: 'aksepte',
    counted: '(?<=\\b(yo|pral|te|ap|dwe|poko|pa) )konte\\b',
    pollingPlace: 'biwo vòt|sant vòt|lokal vòt|kote pou vote',
  },
  english: {
    received: 'receiv',
    accepted: '\\baccept(ed|s|ance|ing)?\\b',
    counted: '\\bcount(ed|ing)\\b',
    pollingPlace: 'polling (place|station|site)|vote cent(er|re)',
  },
  french: {
    received: 'reçu|réception|arrivé',
    accepted: 'accept',
    counted: 'compt(é|er|abilis)|dépouill|décompt',
    pollingPlace: '(bureau|bureaux|centre|centres|lieu|lieux) de vote',
  },
  german: {
    received: 'eingegangen|erhalten|eingang|angekommen',
    accepted: 'angenommen|annahme|annehmen',
    counted: '(?<!er)zähl(t|en|ung)',
    pollingPlace: 'wahllokal|wahlraum|wahlräum|stimmlokal',
  },
  hawaiian: {
    received: 'loaʻa|hōʻea',
    accepted: 'ʻāpono',
    counted: 'helu ʻia|ka helu ʻana',
    pollingPlace: '(wahi|kahi|hale) koho',
  },
  hindi: {
    received: 'प्राप्त|मिल|पहुँच',
    accepted: 'स्वीकार|स्वीकृत',
    counted: 'गिन|गणना',
    pollingPlace: 'मतदान (केंद्र|केन्द्र|स्थल)|पोलिंग|मतदान बूथ',
  },
  ilocano: {
    received: 'naawat|nakadanon|simmangpet',
    accepted: 'naakseptar|akseptar',
    counted: 'bilang',
    pollingPlace: 'presinto|pagbotosan|pagbutosan',
  },
  japanese: {
    received: '受け取|到着|届',
    accepted: '受理',
    counted: '集計|開票|数え',
    pollingPlace: '投票所|投票センター',
  },
  khmer: {
    received: 'ទទួលបាន|បានទទួល|មកដល់|ទៅដល់',
    accepted: 'អនុម័ត',
    // Not within សម្រាប់ (for) and ប្រាប់ (tell).
    counted: '(?<![មប]្)រាប់',
    // ការិយាល័យបោះឆ្នោត stands for the election office on vote.gov, and for a polling station in Cambodia.
    pollingPlace: 'ការិយាល័យបោះឆ្នោត|មណ្ឌលបោះឆ្នោត|ទីកន្លែងបោះឆ្នោត|កន្លែងបោះឆ្នោត',
  },
  korean: {
    received: '접수|수령|도착|받',
    accepted: '승인',
    counted: '개표|집계|계수',
    pollingPlace: '투표소|투표장|투표 센터',
  },
  russian: {
    received: 'получ|поступил',
    accepted: 'принят|приня[лт]',
    counted: 'подсчит|подсч[её]т',
    pollingPlace:
      'избирательн\\p{L}* участ|участ(ок|ка|ке|ки|ку|ком)(?!\\p{L})|пункт\\p{L}* голосования',
  },
  somali: {
    received: 'helay|helnay|soo gaar|gaartay|gaadh',
    accepted: 'aqbal',
    counted: 'tiri|tirin',
    pollingPlace: '(goobta|goobaha|xarunta|xarumaha) (codbixinta|codeynta|doorashada)',
  },
  spanish: {
    received: 'recib|recepci',
    accepted: 'acept',
    counted: '\\b(conta(d[oa]s?|r|r[áo]n?|rse)|cont[óo]|cuent[ae]n?|conteo|recuento|contabiliz)',
    pollingPlace:
      '(centros?|lugar(es)?|recintos?|mesas?) (de votación|electoral|electorales)|casillas? electoral|colegios? electoral',
  },
  tagalog: {
    received: 'dumating|natanggap',
    accepted: 'tinanggap|tanggapin|tatanggapin',
    // Not bilang alone, which is also the word for “as”.
    counted: 'nabilang|binilang|bibilangin|pagbilang|pagbibilang',
    pollingPlace: 'presinto|lugar ng botohan|lugar na botohan|botohan na lugar',
  },
  thai: {
    received: 'ได้รับ|มาถึง|ไปถึง',
    accepted: 'ยอมรับ',
    counted: '(?<!ส)นับ',
    pollingPlace: 'หน่วยเลือกตั้ง|สถานที่ลงคะแนน|สถานที่เลือกตั้ง|หน่วยลงคะแนน|คูหา',
  },
  ukrainian: {
    received: 'отрим|надійш',
    accepted: 'прийня',
    counted: 'підрах',
    pollingPlace: 'дільниц',
  },
  vietnamese: {
    received: 'nhận được|đã nhận|đã đến',
    accepted: 'chấp nhận',
    counted: 'kiểm đếm|được đếm|kiểm phiếu|đếm phiếu',
    pollingPlace:
      'phòng phiếu|(?<!văn )phòng bầu cử|(điểm|nơi|phòng|trung tâm) (bỏ phiếu|đi bầu)|(điểm|nơi|trung tâm) bầu cử',
  },
};

/**
 * Pairs of simplified and traditional characters that election texts use: one character of the wrong side
 * reveals a sentence in the other script. Not every character, but nearly every paragraph contains one.
 */
const scriptPairs = `
们們 这這 个個 为為 时時 间間 会會 说說 话話 语語 问問 题題 请請 输輸 设設 选選 举舉 办辦 邮郵 计計 错錯 误誤 进進 连連 线線 联聯 电電 变變 标標 处處
证證 验驗 签簽 页頁 边邊 码碼 长長 开開 关關 闭閉 发發 现現 护護 隐隱 权權 务務 网網 县縣 区區 号號 单單 应應 该該 将將 无無 过過 还還 没沒 确確 认認
讯訊 册冊 录錄 记記 账賬 户戶 预預 览覽 馈饋 须須 类類 够夠 给給 经經 结結 约約 级級 终終 编編 较較 辑輯 锁鎖 链鏈 队隊 阶階 随隨 难難 领領 频頻 颜顏
风風 马馬 点點 击擊 触觸 载載 传傳 机機 样樣 条條 让讓 达達 迟遲 运運 转轉 车車 军軍 听聽 张張 带帶 实實 对對 导導 岁歲 师師 币幣 库庫 异異 归歸 当當
总總 战戰 执執 扫掃 报報 择擇 换換 据據 损損 摄攝 数數 断斷 显顯 术術 档檔 检檢 楼樓 测測 济濟 满滿 灵靈 热熱 环環 键鍵 简簡 税稅 稳穩 绝絕 继繼 续續
绩績 维維 缩縮 罗羅 职職 胜勝 脚腳 节節 药藥 营營 虑慮 补補 装裝 观觀 规規 视視 觉覺 订訂 讨討 议議 许許 论論 访訪 评評 识識 诉訴 词詞 译譯 试試 详詳
读讀 调調 谁誰 谢謝 货貨 质質 购購 贴貼 费費 资資 赶趕 践踐 释釋 钟鐘 钮鈕 铁鐵 银銀 锋鋒 镜鏡 门門 闻聞 阅閱 陆陸 险險 项項 顺順 顾顧 额額 飞飛 饭飯
驾駕 骗騙 鱼魚
`
  .trim()
  .split(/\s+/);

export const simplifiedOnly = scriptPairs.map((pair) => pair[0]).join('');
export const traditionalOnly = scriptPairs.map((pair) => pair[1]).join('');
