/** Where a message is written about a link, already begun. The text comes from us, the link from the ref code. */
const q = encodeURIComponent

export const shareLinks = (url: string, text: string) => ({
  WhatsApp: `https://wa.me/?text=${q(`${text} ${url}`)}`,
  Telegram: `https://t.me/share/url?url=${q(url)}&text=${q(text)}`,
  mail: `mailto:?subject=Aval&body=${q(`${text} ${url}`)}`,
})
