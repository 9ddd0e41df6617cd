export const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';
