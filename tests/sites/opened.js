// As many pages do: what is to be heard is listened to when the document is there, or a moment later.
document.querySelector('details').addEventListener('toggle', () => document.querySelector('p').append('toggled '));
document.addEventListener('DOMContentLoaded', () => {
  addEventListener('pageshow', () => {
    document.querySelector('p').append('shown');
    document.title = 'shown';
  });
});
