// Runs before the first paint, so that neither the wrong theme nor the wrong language is ever shown.
;(() => {
  const chosen = (key, options) => {
    try {
      const kept = localStorage.getItem(key)
      return options.includes(kept) ? kept : options[0]
    } catch {
      return options[0]
    }
  }
  document.documentElement.setAttribute('data-color-scheme', chosen('scheme', ['dark', 'light']))
  document.documentElement.lang = chosen('language', ['es', 'en'])
})()
