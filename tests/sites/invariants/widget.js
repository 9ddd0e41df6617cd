document.getElementById('widget').innerHTML = '<h2>Weather</h2><p>Sunny.</p>';
